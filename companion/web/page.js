"use strict";
(() => {
  const SILENCE_MS = 25000; // the server sends a beat every 10 s: two were missed
  const AGAIN_MS = 3000;
  const PUT_AWAY = "This game was put away: the page comes back with the next one.";
  const lost = document.getElementById("lost");
  const { place } = document.querySelector("main").dataset;
  const big = document.getElementById("big");
  let source = null, heard = Date.now(), since = null, timer = 0, quiet = false;
  let between = false; // the game was put away, and the next one serves this page again

  const recall = (value) => {
    try {
      if (value !== undefined) localStorage.setItem("big", value);
      return localStorage.getItem("big");
    } catch { return null; }
  };
  const enlarge = (on) => {
    document.documentElement.classList.toggle("big", on);
    big.setAttribute("aria-pressed", String(on));
  };
  big.hidden = false;
  big.addEventListener("click", () => {
    const on = !document.documentElement.classList.contains("big");
    enlarge(on);
    recall(on ? "yes" : "no");
  });
  enlarge(recall() === "yes");

  // At the end of summer time an hour repeats: if this time was shown an hour ago too, it is the second.
  const timeOf = (date) => {
    const time = date.toLocaleTimeString();
    return new Date(date.getTime() - 3_600_000).toLocaleTimeString() === time ? `${time} (2nd)` : time;
  };
  const speaks = () => {
    heard = Date.now();
    since = null;
    between = false;
    lost.hidden = true;
  };
  const silent = (why) => {
    if (since === null) since = timeOf(new Date());
    lost.textContent = `Not connected since ${since}. ${why}`;
    lost.hidden = false;
  };
  const renew = (place, fresh) => {
    const open = [...place.querySelectorAll("details[open]")].map((each) => each.id);
    const typed = [...place.querySelectorAll("input, select")].map((each) => [each.id, each.value]);
    const held = place.contains(document.activeElement) ? document.activeElement : null;
    const where = held instanceof HTMLInputElement ? [held.selectionStart, held.selectionEnd] : null;
    patch(place, fresh);
    for (const id of open) document.getElementById(id)?.setAttribute("open", "");
    for (const [id, value] of typed) {
      const again = document.getElementById(id);
      if (again) again.value = value;
    }
    // A button or a summary is identified by its form or its details.
    const named = held && document.getElementById(held.id || held.parentElement.id);
    const again = held?.id ? named : named?.querySelector("button, summary");
    again?.focus({ preventScroll: true });
    if (where && again) again.setSelectionRange(...where);
  };
  const show = (message) => {
    speaks();
    for (const [part, markup] of Object.entries(JSON.parse(message.data))) {
      const place = document.getElementById(part);
      const fresh = place.cloneNode(false);
      fresh.innerHTML = markup;
      // Existing elements stay: a finger on a button, a half typed field, a reader's place.
      if (!fresh.isEqualNode(place)) renew(place, fresh);
      if (part === "turn" && markup && quiet && navigator.userActivation?.hasBeenActive) navigator.vibrate?.(200);
      if (part === "turn") quiet = !markup;
    }
  };
  // An EventSource does not report why it was refused, so load the page, which says it.
  const ask = async () => {
    try {
      const { status, headers } = await fetch(location.pathname, { method: "HEAD", cache: "no-store" });
      if (headers.get("companion-state")) {
        between = true;
        return PUT_AWAY;
      }
      if (status === 403) return "This address is not valid any more: scan the code again.";
      if (status === 503) return "Too many pages are open: close one; this one tries again.";
      return "Trying again.";
    } catch {
      return between ? PUT_AWAY : "The companion does not answer; trying again.";
    }
  };
  const connect = () => {
    clearTimeout(timer);
    timer = 0;
    source?.close();
    heard = Date.now();
    source = new EventSource(location.pathname.replace(/\/?$/, "/events"));
    // After a rematch, or on another seat, the page is of something else.
    source.addEventListener("place", (message) => { if (message.data !== place) location.reload(); });
    source.addEventListener("blocks", show);
    source.addEventListener("beat", speaks);
    source.addEventListener("gone", (message) => {
      source.close();
      between = Boolean(message.data);
      again();
    });
    source.addEventListener("error", again);
  };
  const again = async () => {
    if (timer) return;
    source.close();
    timer = setTimeout(connect, AGAIN_MS);
    silent("Trying again.");
    const why = await ask();
    if (since !== null) silent(why);
  };
  const wake = () => {
    if (document.visibilityState === "visible" && (since !== null || Date.now() - heard > SILENCE_MS)) connect();
  };
  // Exists in a secure context only; a browser may refuse, for example when the battery is low.
  const stayAwake = () => {
    if (document.visibilityState === "visible") navigator.wakeLock?.request("screen").catch(() => {});
  };
  stayAwake();
  document.addEventListener("visibilitychange", stayAwake);
  document.addEventListener("visibilitychange", wake);
  addEventListener("pageshow", wake);
  addEventListener("online", wake);
  addEventListener("offline", () => again());
  setInterval(() => { if (Date.now() - heard > SILENCE_MS && !timer) again(); }, 1000);
  connect();
})();
