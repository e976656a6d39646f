// For all pages of a table and of a hub: stay connected, and say in #lost since when the page is not, and why.
"use strict";

// `path`: the stream; `events`: what to do with each kind of its events. A hub names itself as `server`, says what helps
// if its address changed, sends beats less often, and has `meanwhile` done before each try to connect.
// Returns a function that says why what the page shows may be old although the stream is open; "" ends that.
function connected(path, events, { server = "The companion", moved = "Did it change networks? Scan the code again.",
  silenceMs = 25000, meanwhile = () => {} } = {}) { // a table sends a beat every 10 s: two were missed
  const AGAIN_MS = 3000;
  const PUT_AWAY = "This game was put away: the page comes back with the next one.";
  const OVER = "This game was put away. Scan the code of the next one.";
  const lost = document.getElementById("lost");
  let source = null, heard = Date.now(), since = null, timer = 0;
  let silence = "", outdated = ""; // why nothing is heard; why what is shown may be old
  let between = ""; // why the game that was put away is silent; the next one serves this page again, or not
  let left = false; // this page has ended the game itself, so it says nothing of the silence

  // At the end of summer time an hour repeats: if this time was shown an hour ago too, it is the second.
  const timeOf = (date) => {
    const time = date.toLocaleTimeString();
    return new Date(date.getTime() - 3_600_000).toLocaleTimeString() === time ? `${time} (2nd)` : time;
  };
  // Keep the time of the first failure until something arrives.
  const say = () => {
    lost.hidden = left || (!silence && !outdated);
    if (lost.hidden) {
      since = null;
      return;
    }
    if (since === null) since = timeOf(new Date());
    const sentence = silence ? `Not connected since ${since}. ${silence}` : `Nothing new since ${since}. ${outdated}`;
    if (lost.textContent !== sentence) lost.textContent = sentence; // it is read aloud when it changes
  };
  const speaks = () => {
    heard = Date.now();
    between = "";
    if (silence && left) location.reload(); // somebody serves this page again
    silence = "";
    say();
  };
  // An EventSource does not report why it was refused, so ask for its head, which says it.
  const ask = async () => {
    try {
      const { ok, status, headers } = await fetch(path, { method: "HEAD", cache: "no-store" });
      const state = headers.get("companion-state");
      if (state === "put away") {
        between = PUT_AWAY;
        return PUT_AWAY;
      }
      if (state === "over" || (status === 403 && between === OVER)) return OVER;
      if (state === "full") return "Too many pages are open: close one that nobody needs. This page tries again by itself.";
      if (status === 403) return "This address is not valid any more: scan the code again.";
      if (status === 421) return `${server} has another address: open the one that it shows.`;
      return ok ? "Trying again." : `${server} has a problem (${status}); trying again.`;
    } catch {
      return between || `${server} does not answer; trying again. ${moved}`;
    }
  };
  const open = () => {
    clearTimeout(timer);
    timer = 0;
    source?.close();
    heard = Date.now();
    source = new EventSource(path);
    for (const [kind, heed] of Object.entries({ beat: () => {}, ...events })) {
      source.addEventListener(kind, (message) => {
        speaks();
        heed(message);
      });
    }
    source.addEventListener("gone", (message) => {
      source.close();
      between = !message.data ? "" : JSON.parse(message.data).why === "over" ? OVER : PUT_AWAY;
      again();
    });
    source.addEventListener("error", again);
  };
  const again = async () => {
    if (timer) return;
    source.close();
    timer = setTimeout(open, AGAIN_MS * (1 + Math.random())); // not all pages of a hall at the same moment
    silence ||= "Trying again.";
    say();
    meanwhile();
    const why = await ask();
    if (silence) silence = why;
    say();
  };
  const wake = () => {
    if (document.visibilityState === "visible" && (silence || Date.now() - heard > silenceMs)) open();
  };
  document.addEventListener("left", () => {
    left = true;
    say();
  });
  document.addEventListener("visibilitychange", wake);
  addEventListener("pageshow", wake);
  addEventListener("online", wake);
  // It is no loss for a page of this computer's own companion.
  addEventListener("offline", () => fetch(path, { method: "HEAD", cache: "no-store" }).catch(again));
  setInterval(() => { if (Date.now() - heard > silenceMs && !timer) again(); }, 1000);
  open();
  return (why) => {
    outdated = why;
    say();
  };
}
