// Updates the live part of the page when the hub reports a commit.
"use strict";

const live = document.getElementById("live");
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const lost = document.createElement("p");
lost.textContent = "Not connected: this may be old. Trying again.";
lost.setAttribute("role", "status");
lost.id = "lost";
lost.hidden = true;
let mark = "";
let asking = false;
let again = false;

async function shown() {
  const answer = await fetch(location.href, { headers: { accept: "text/html", "if-none-match": mark } });
  lost.hidden = answer.ok || answer.status === 304;
  if (!answer.ok) return; // unchanged, or the hub is in trouble
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const now = page.getElementById("live");
  if (!now) return;
  mark = answer.headers.get("etag") ?? "";
  // Opened reasons stay open, and the keyboard focus stays with the same player or table.
  for (const reasons of live.querySelectorAll("details[open]")) page.getElementById(reasons.id)?.setAttribute("open", "");
  const held = document.activeElement.closest("#live [id]")?.id;
  patch(live, now);
  const lostHold = held && !live.contains(document.activeElement);
  if (lostHold) document.getElementById(held)?.querySelector("a, button, summary")?.focus({ preventScroll: true });
  document.querySelector("h1").textContent = document.title = page.title;
}

async function ask() {
  again = true;
  if (asking) return; // one request at a time: reports meanwhile cause one more afterwards
  asking = true;
  while (again) {
    again = false;
    await pause(Math.random() * 300); // all pages get the report at once, but should not ask at once
    const began = performance.now();
    await shown().catch(() => {}); // the hub is away: the stream reconnects by itself and reports
    await pause(200 + performance.now() - began); // a busy hub is asked less often
  }
  asking = false;
}

function listen() {
  const news = new EventSource("/news");
  news.addEventListener("message", ask);
  news.addEventListener("open", () => { lost.hidden = true; });
  news.addEventListener("error", () => {
    // It reconnects by itself unless it was refused: too many viewers, or a proxy in the way.
    if (news.readyState === EventSource.CLOSED) setTimeout(() => (ask(), listen()), 5000 + Math.random() * 5000);
    else lost.hidden = false;
  });
}

// Nobody scrolls the hall's display, so it scrolls down by itself, and up again.
function turnOver() {
  const rest = document.documentElement.scrollHeight - scrollY - innerHeight;
  scrollTo({ top: rest < 0.1 * innerHeight ? 0 : scrollY + 0.8 * innerHeight });
}

if (live) live.before(lost);
if (live) listen();
if (document.body.className === "hall") setInterval(turnOver, 12000);
