// For the pages of a table: an answer about the rules, or the reason of a line of the log, opens over the page, which
// stays connected. Without scripts both are pages of their own.
"use strict";
(() => {
  const ANSWER_MS = 8000;
  const base = location.pathname.replace(/\/?$/, "/");
  const sheet = document.getElementById("rules-sheet");
  const close = document.createElement("button");
  close.type = "button";
  close.textContent = "Close";
  close.addEventListener("click", () => sheet.close());
  const show = (parts, held) => {
    sheet.replaceChildren(...parts, close);
    if (!sheet.open) sheet.showModal();
    (held ? sheet.querySelector("input") ?? close : close).focus();
    sheet.scrollTop = 0;
  };
  let newest = 0; // a slow answer must not replace a later one
  const ask = async (address, held) => {
    const mine = ++newest;
    let said = "No answer came. Check the connection, then ask again.", markup = "";
    try {
      const answer = await fetch(`${base}${address}&part=main`, { signal: AbortSignal.timeout(ANSWER_MS) });
      markup = await answer.text();
      if (answer.status === 403) said = "This address is not valid any more: scan the code again.";
    } catch { /* no answer */ }
    if (mine !== newest) return;
    const around = document.createElement("div"), words = document.createElement("p");
    words.textContent = said;
    if (markup.startsWith("<main")) around.innerHTML = markup;
    const main = around.firstElementChild;
    show(main ? [...main.children] : [words], main && held);
  };
  document.addEventListener("submit", (event) => {
    const form = event.target.closest("form.ask-rules");
    if (!form) return;
    event.preventDefault();
    event.stopImmediatePropagation(); // other scripts send the forms of the game
    ask(`ask?${new URLSearchParams(new FormData(form))}`, true);
  }, true);
  document.addEventListener("click", (event) => {
    const link = event.target.closest?.("a.why");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    ask(link.getAttribute("href"), false);
  });
})();
