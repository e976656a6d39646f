"use strict";
(() => {
  const LONGEST_MS = 30000; // a line whose end was not reported by then is over
  const STALE_MS = 8000; // older lines are dropped unspoken
  const MOST_WAITING = 3; // beyond that the oldest are dropped
  const LINES = 8;
  const CALLED = ["ruling", "round", "turn", "pause", "correction", "end"];
  const place = (id) => document.getElementById(id);
  const voice = window.speechSynthesis;
  const spoken = new Map(); // a player's name -> its pronunciation on this device
  let shown = "", last = 0, called = 0, waiting = [], on = false;
  let current = null, began = 0; // kept while it is spoken: a browser may drop a line that nothing refers to, and then reports no end

  const kept = (key, value) => {
    try {
      if (value !== undefined) localStorage.setItem(`caller ${key}`, value);
      return localStorage.getItem(`caller ${key}`) ?? "";
    } catch { return ""; }
  };
  const named = (words) => {
    const names = [...spoken.keys()].filter((name) => spoken.get(name)).sort((a, b) => b.length - a.length);
    if (!names.length) return words;
    const any = names.map((each) => each.replace(/[.*+?^${}()|[\]\\\/]/g, "\\$&")).join("|");
    return words.replace(new RegExp(`(?<![\\p{L}\\p{N}])(${any})(?![\\p{L}\\p{N}])`, "gu"), (found) => spoken.get(found));
  };
  // Of a correction, read only the differences.
  const words = (event) => {
    if (event.kind !== "correction" || !event.changed.length) return event.text;
    const names = new Map(event.table.players.map((player) => [player.id, player.name]));
    const scores = event.changed.map(({ player, after }) => `${names.get(player) ?? player} ${after ?? "?"}`);
    return `Correction: ${scores.join(", ")}`;
  };
  // Only local voices: any other sends every line to a server.
  const local = () => voice.getVoices().filter((each) => each.localService);
  const chosen = () => {
    const here = local(), wanted = place("voice").value;
    return here.find((each) => each.name === wanted) ?? here.find((each) => each.default)
      ?? here.find((each) => each.lang.startsWith("en")) ?? here[0];
  };
  const speak = () => {
    const now = Date.now();
    waiting = waiting.filter((each) => each.kind === "end" || now - each.at < STALE_MS);
    const by = chosen();
    place("dumb").hidden = Boolean(by) || !on;
    if (current || !on || !by || !waiting.length) return;
    const line = new SpeechSynthesisUtterance(named(waiting.shift().words));
    line.voice = by;
    line.lang = by.lang;
    line.onend = line.onerror = () => {
      if (current !== line) return; // it was given up before
      current = null;
      speak();
    };
    current = line;
    began = now;
    voice.speak(line);
  };
  const call = (event) => {
    const made = document.createElement("li");
    made.textContent = words(event);
    place("said").append(made);
    while (place("said").children.length > LINES) place("said").firstChild.remove();
    if (!on) return;
    waiting.push({ kind: event.kind, words: made.textContent, at: Date.now() });
    waiting = waiting.filter((each, place) => each.kind === "end" || place >= waiting.length - MOST_WAITING);
    speak();
  };
  const name = (player) => {
    if (spoken.has(player.name)) return;
    spoken.set(player.name, kept(`name ${player.name}`));
    const label = document.createElement("label"), field = document.createElement("input");
    label.textContent = `Say ${player.name} as`;
    field.value = spoken.get(player.name);
    field.placeholder = player.name;
    field.maxLength = 60;
    field.addEventListener("input", () => spoken.set(player.name, kept(`name ${player.name}`, field.value.trim())));
    label.append(field);
    place("names").append(label);
  };
  const take = (message) => {
    const event = JSON.parse(message.data), first = event.session !== shown;
    if (!first && event.number <= last) return; // an event may come twice
    shown = event.session;
    last = event.number;
    event.table.players.forEach(name);
    // A new reader's first event is old. Of one entry's events, the ruling says everything but turn and end.
    const more = event.entry !== called || ["turn", "end"].includes(event.kind);
    if (!first && more && CALLED.includes(event.kind)) {
      called = event.entry;
      call(event);
    }
  };
  const voices = () => {
    const here = local();
    place("voice").replaceChildren(...[["", "This device's own"], ...here.map((each) => [each.name, each.name])].map(
      ([value, title]) => new Option(title, value)));
    place("voice").value = here.some((each) => each.name === kept("voice")) ? kept("voice") : "";
  };
  if (voice) {
    voices();
    voice.addEventListener?.("voiceschanged", voices);
    place("voice").addEventListener("change", () => kept("voice", place("voice").value));
    place("call").addEventListener("click", () => {
      on = !on;
      waiting = [];
      current = null;
      voice.cancel();
      place("call").textContent = on ? "Stop calling" : "Call the game";
      place("call").setAttribute("aria-pressed", String(on));
      speak();
    });
  } else {
    place("call").hidden = true;
    place("dumb").hidden = false;
  }
  setInterval(() => {
    if (!current || Date.now() - began < LONGEST_MS) return;
    current = null;
    voice.cancel();
    speak();
  }, 1000);
  connected("feed", { message: take });
})();
