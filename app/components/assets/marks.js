// Tells the answers on the page which of their places is open as evidence, so that its chip is marked and no
// other; with nothing open, none. Escape closes the evidence.

let current = null;

addEventListener("keydown", (event) => {
  if (event.key !== "Escape" || event.defaultPrevented || !current?.data.turn || document.querySelector("[role=dialog]")) return;
  const at = document.activeElement;
  if (at && at.matches("input, textarea")) return;
  current.setTriggerValue("close", Date.now());
});

export default function ({ data, setTriggerValue }) {
  current = { data, setTriggerValue };
  dispatchEvent(new CustomEvent("groundwork:evidence", { detail: data }));
  return () => { if (current?.data === data) current = null; };
}
