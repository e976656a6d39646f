// Updates the live part of the page when the hub reports a commit.
"use strict";

const live = document.getElementById("live");
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
let mark = "";
let asking = false;
let again = false;
let outdated = () => {};

async function shown() {
  const answer = await fetch(location.href, { headers: { accept: "text/html", "if-none-match": mark } });
  if (answer.status === 304) outdated("");
  else if (!answer.ok) outdated("The hub cannot read its records just now; trying again.");
  if (!answer.ok) return; // unchanged, or the hub is in trouble
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const now = page.getElementById("live");
  // Whoever is signed out gets another page; this one may have a half typed form, so it stays.
  outdated(now ? "" : "You are signed out: load this page again and sign in.");
  if (!now) return;
  mark = answer.headers.get("etag") ?? "";
  // Opened reasons stay open, and the keyboard focus stays with the same player or table.
  for (const reasons of live.querySelectorAll("details[open]")) page.getElementById(reasons.id)?.setAttribute("open", "");
  const held = document.activeElement.closest("#live [id]")?.id;
  patch(live, now);
  const lostHold = held && !live.contains(document.activeElement);
  if (lostHold) document.getElementById(held)?.querySelector("a, button, summary")?.focus({ preventScroll: true });
  document.title = page.title;
  patch(document.querySelector("h1"), page.querySelector("h1"));
}

async function ask() {
  again = true;
  if (asking) return; // one request at a time: reports meanwhile cause one more afterwards
  asking = true;
  while (again) {
    again = false;
    await pause(Math.random() * 300); // all pages get the report at once, but should not ask at once
    const began = performance.now();
    await shown().catch(() => {}); // the hub is away: the stream says so
    await pause(200 + performance.now() - began); // a busy hub is asked less often
  }
  asking = false;
}

// Nobody scrolls the hall's display, so it scrolls down by itself, and up again.
function turnOver() {
  const rest = document.documentElement.scrollHeight - scrollY - innerHeight;
  scrollTo({ top: rest < 0.1 * innerHeight ? 0 : scrollY + 0.8 * innerHeight });
}

// The hall's display is dark if its computer prefers that, or if the address says so: for a beamer set up once.
function lookOfHall(button) {
  const root = document.documentElement;
  const named = new URLSearchParams(location.search).get("look");
  const show = (look) => {
    root.dataset.look = look;
    button.textContent = look === "dark" ? "Light" : "Dark";
    button.hidden = false;
  };
  const preferred = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
  show(["dark", "light"].includes(named) ? named : preferred);
  button.addEventListener("click", () => {
    show(root.dataset.look === "dark" ? "light" : "dark");
    history.replaceState(null, "", `?look=${root.dataset.look}`);
  });
}

if (live) {
  outdated = connected("/news", { message: ask }, {
    server: "The hub",
    moved: "Did its address change? Ask the organiser.",
    silenceMs: 45000, // the hub sends a beat every 20 s: two were missed
    meanwhile: ask, // a page without a stream, because too many are open, still shows what is new
  });
}
if (document.body.className === "hall") {
  lookOfHall(document.getElementById("look"));
  setInterval(turnOver, 12000);
}
