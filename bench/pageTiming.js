/*
 * Runs in every page that is measured, before its own scripts. A frame has been drawn when a message that was posted from the
 * frame's callback arrives. Event Timing is of no use here: it says nothing of what comes over the debugging protocol.
 */
function untilDrawn(isThere, done) {
  requestAnimationFrame(() => {
    // What is there when a frame's callbacks run is drawn in that frame.
    if (isThere()) afterFrame(done);
    else untilDrawn(isThere, done);
  });
}

function afterFrame(done) {
  const { port1, port2 } = new MessageChannel();
  port1.addEventListener('message', () => done(performance.now()), { once: true });
  port1.start();
  port2.postMessage(undefined);
}

/** Whether a message stands in the log's window. */
function messageIsShown() {
  const log = document.querySelector('[role=log]');
  const newest = [...(log?.querySelectorAll('article') ?? [])].at(-1)?.getBoundingClientRect();
  const window = log?.getBoundingClientRect();
  return Boolean(newest && newest.height > 0 && newest.bottom <= window.bottom && newest.bottom > window.top);
}

/** What may be waited for, by name, because a function cannot be handed into a page. */
const conditions = {
  always: () => true,
  bare: () => document.querySelector('h1') !== null,
  message: messageIsShown,
  stream: (name) => document.querySelector('h2')?.textContent === name && messageIsShown(),
  emoji: () => document.querySelectorAll('dialog[open] fieldset button').length > 1000,
};

Object.assign(globalThis, {
  bench: {
    /** Milliseconds from the beginning of the navigation to the frame that shows it. */
    shown: (condition) => new Promise((resolve) => untilDrawn(conditions[condition], resolve)),
    /** Milliseconds from the next such event to the frame that shows what it was for. */
    after: (type, condition, ...of) =>
      new Promise((resolve) => {
        const onEvent = ({ timeStamp }) =>
          untilDrawn(
            () => conditions[condition](...of),
            (time) => resolve(time - timeStamp),
          );
        addEventListener(type, onEvent, { capture: true, once: true });
      }),
  },
});
