"use strict";
(() => {
  const SAID = ["ruling", "draw", "shot", "round", "pause", "correction", "end"];
  const SMALLEST_PX = 8;
  const place = (id) => document.getElementById(id);
  let shown = "", last = 0, said = 0;
  let ahead = 0, clock = null; // ms from this page's own clock, which nobody sets, to the table's; the round's clock reading, and its time

  const part = (words, kind) => {
    const made = document.createElement("span");
    made.textContent = words;
    made.className = kind;
    return made;
  };
  const line = (player, turn, { unit, unit_of_one }) => {
    const made = document.createElement("li");
    made.className = turn.includes(player.id) ? "turn" : player.out || player.left ? "out" : "";
    made.dataset.player = player.id;
    const glyph = part(player.glyph, "glyph");
    glyph.style.color = player.color;
    const score = player.score ?? "?";
    made.append(glyph, part(player.name, "name"), part(score, "score"));
    if (unit) made.append(part(score === 1 ? unit_of_one : unit, "unit"));
    if (turn.includes(player.id)) made.prepend(part("▶", "mark"));
    return made;
  };
  const tick = () => {
    const ran = clock && clock.ran_s + (clock.runs ? Math.max(0, performance.now() + ahead - clock.at) / 1000 : 0);
    const seconds = Math.floor(ran), two = (number) => String(number).padStart(2, "0");
    const hours = Math.floor(seconds / 3600), minutes = Math.floor(seconds / 60) % 60;
    const words = !clock ? "" : hours ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
    if (place("clock").textContent !== words) place("clock").textContent = words;
  };
  // Many players or a long sentence: smaller letters, so that nothing is cut.
  const fit = () => {
    const root = document.documentElement, main = document.querySelector("main");
    root.style.fontSize = "";
    let size = parseFloat(getComputedStyle(root).fontSize);
    while (size > SMALLEST_PX && main.getBoundingClientRect().bottom > innerHeight) {
      size *= 0.95;
      root.style.fontSize = `${size}px`;
    }
  };
  const show = (message) => {
    const event = JSON.parse(message.data);
    if (event.session === shown && event.number <= last) return; // an event may come twice
    shown = event.session;
    last = event.number;
    const { where, players, turn, paused } = event.table;
    clock = event.table.clock && { ...event.table.clock, at: Date.parse(event.wall) };
    tick();
    place("where").textContent = [where, paused && "paused"].filter(Boolean).join(" - ");
    place("players").replaceChildren(...players.map((player) => line(player, turn, event.table)));
    // A ruling's sentence has its consequences: only the end of the game replaces it.
    if (SAID.includes(event.kind) && (event.entry !== said || event.kind === "end")) {
      said = event.entry;
      place("ruling").textContent = event.text;
      place("ruling").dataset.kind = event.kind;
    }
    fit();
  };
  setInterval(tick, 250);
  addEventListener("resize", fit);
  connected("feed", {
    message: show,
    now: (message) => {
      ahead = Number(message.data) - performance.now();
      tick();
    },
  });
})();
