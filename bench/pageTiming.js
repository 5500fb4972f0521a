/*
 * Runs in every measured page before its own scripts. A frame counts as drawn when a message arrives that was posted from
 * the frame's callback. Event Timing has no entries for input from the debugging protocol.
 */
function untilDrawn(isFulfilled, done) {
  requestAnimationFrame(() => {
    // The document's state during a frame's callbacks is drawn in that frame.
    if (isFulfilled()) afterFrame(done);
    else untilDrawn(isFulfilled, done);
  });
}

function afterFrame(done) {
  const { port1, port2 } = new MessageChannel();
  port1.addEventListener('message', () => done(performance.now()), { once: true });
  port1.start();
  port2.postMessage(undefined);
}

function messageIsShown() {
  const log = [...document.querySelectorAll('[role=log]')].find((each) => each.checkVisibility());
  const newest = [...(log?.querySelectorAll('article') ?? [])].at(-1)?.getBoundingClientRect();
  const window = log?.getBoundingClientRect();
  return Boolean(newest && newest.height > 0 && newest.bottom <= window.bottom && newest.bottom > window.top);
}

/** By name, because a function cannot be passed into a page. */
const conditions = {
  always: () => true,
  bare: () => document.querySelector('h1') !== null,
  message: messageIsShown,
  stream: (name) => document.querySelector('h2')?.textContent === name && messageIsShown(),
  emoji: () => document.querySelectorAll('dialog[open] fieldset button').length > 1000,
};

Object.assign(globalThis, {
  bench: {
    /** Milliseconds from the start of the navigation to the frame. */
    shown: (condition) => new Promise((resolve) => untilDrawn(conditions[condition], resolve)),
    tooLong: () =>
      new Promise((_, reject) => {
        setTimeout(reject, 30_000, new Error('Nothing was drawn in 30 seconds.'));
      }),
    /** Milliseconds from the next event to the frame. */
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
