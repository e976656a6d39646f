"use strict";
(() => {
  const { place, silence } = document.querySelector("main").dataset;
  const big = document.getElementById("big");
  let quiet = false;

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

  // A field for a number has none.
  const caret = (field) =>
    field instanceof HTMLInputElement && field.selectionStart !== null ? [field.selectionStart, field.selectionEnd] : null;
  const choosable = ({ type }) => ["radio", "checkbox"].includes(type);
  // A choice is known by its value, as its id is only its place among the others. In a form that asks for something else
  // by now it is none.
  const choice = ({ id, form, name, value, asks }) => {
    const now = form ? document.getElementById(form) : null;
    if (!form) return document.getElementById(id);
    return now?.dataset.wish === asks ? [...now.elements].find((each) => each.name === name && each.value === value) : null;
  };
  const renew = (place, fresh) => {
    const open = [...place.querySelectorAll("details[open]")].map((each) => each.id);
    const typed = [...place.querySelectorAll("input, select")].map(({ id, form, type, name, value, checked }) =>
      ({ id, type, name, value, checked, form: form?.id, asks: form?.dataset.wish }));
    const held = place.contains(document.activeElement) ? document.activeElement : null;
    const where = caret(held);
    // A button or a summary is identified by its form or its details; a patch may take it out of them.
    const home = held && (held.id || held.parentElement.id);
    patch(place, fresh);
    for (const id of open) document.getElementById(id)?.setAttribute("open", "");
    for (const each of typed) {
      const again = choosable(each) ? choice(each) : document.getElementById(each.id);
      if (again && choosable(again)) again.checked = each.checked && again.value === each.value;
      else if (again) again.value = each.value;
    }
    const named = home ? document.getElementById(home) : null;
    const asks = held?.dataset.wish; // on pages of roles, by what it asks for
    const same = asks && [...place.querySelectorAll("[data-wish]")].find((each) => each.dataset.wish === asks);
    const again = same || (held?.id ? named : named?.querySelector("button, summary"));
    again?.focus({ preventScroll: true });
    if (where && caret(again)) again.setSelectionRange(...where);
  };
  // What screen readers are told: the new lines of the log and the changed scores, each once. A live region on the log
  // would be read whole: each new line moves the others.
  const heard = document.getElementById("heard");
  const MOST_HEARD = 3; // if more arrive at once, read only the newest
  const standing = () => ({
    lines: [...document.querySelectorAll("#log tr")].map((row) => row.textContent),
    scores: new Map([...document.querySelectorAll("#seats li")].map((seat) =>
      [seat.querySelector(".name b").textContent, seat.querySelector(".score").parentElement.textContent])),
  });
  // The newest is first: [c, b, a] after [b, a] has one new line, c.
  const newLines = (before, now) => {
    for (let count = 0; count < now.length; count++) {
      if (now.slice(count).every((line, at) => at >= before.length || line === before[at])) return Math.min(count, MOST_HEARD);
    }
    return now[0] === before[0] ? 0 : 1; // a correction changed older lines as well
  };
  const tell = (before, now) => {
    const sentences = [...document.querySelectorAll("#log tr")].slice(0, newLines(before.lines, now.lines))
      .map((row) => row.lastElementChild.textContent).reverse();
    for (const [name, score] of now.scores) {
      if (before.scores.has(name) && before.scores.get(name) !== score) sentences.push(`${name}: ${score}`);
    }
    for (const sentence of sentences) {
      const line = document.createElement("p");
      line.textContent = sentence;
      heard.append(line);
    }
    while (heard.children.length > 3 * MOST_HEARD) heard.firstChild.remove();
  };
  const show = (message) => {
    const parts = JSON.parse(message.data);
    document.dispatchEvent(new Event("patching"));
    const before = ("log" in parts || "seats" in parts) && standing();
    for (const [part, markup] of Object.entries(parts)) {
      const place = document.getElementById(part);
      const fresh = place.cloneNode(false);
      fresh.innerHTML = markup;
      // Existing elements stay: a finger on a button, a half typed field, a reader's place.
      if (!fresh.isEqualNode(place)) renew(place, fresh);
      if (part === "turn" && markup && quiet && navigator.userActivation?.hasBeenActive) navigator.vibrate?.(200);
      if (part === "turn") quiet = !markup;
    }
    if (before) tell(before, standing());
    document.dispatchEvent(new CustomEvent("patched", { detail: Object.keys(parts) }));
  };
  // Exists in a secure context only; a browser may refuse, for example when the battery is low.
  const stayAwake = () => {
    if (document.visibilityState === "visible") navigator.wakeLock?.request("screen").catch(() => {});
  };
  stayAwake();
  document.addEventListener("visibilitychange", stayAwake);
  connected(location.pathname.replace(/\/?$/, "/events"), {
    blocks: show,
    heard: ({ data }) => document.dispatchEvent(new CustomEvent("heard", { detail: data })),
    // After a rematch, or on another seat, the page is of something else.
    place: (message) => { if (message.data !== place) location.reload(); },
  }, silence ? { silenceMs: Number(silence) } : {});
})();
