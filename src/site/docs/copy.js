// Runs in the browser, on pages of /docs with code: a button beside each block copies it. Without scripts, and where
// the page may not write to the clipboard (no TLS, not this machine), there is no button.

const { document, navigator } = globalThis;

if (navigator.clipboard !== undefined) {
  for (const block of document.querySelectorAll("main pre")) {
    const frame = document.createElement("div");
    frame.className = "code";
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = "Copy";
    button.addEventListener("click", async () => {
      await navigator.clipboard.writeText(block.textContent);
      button.textContent = "Copied";
      setTimeout(() => {
        button.textContent = "Copy";
      }, 2000);
    });
    block.replaceWith(frame);
    frame.append(block, button);
  }
}
