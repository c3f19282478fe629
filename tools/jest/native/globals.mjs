// What `import … from '@jest/globals'` gives. Fixtures are loaded once for many test files: their imports follow when
// these variables change.
export let afterAll;
export let afterEach;
export let beforeAll;
export let beforeEach;
export let describe;
export let expect;
export let it;
export let jest;

/** Sets what the current test file uses. Modules cannot be mocked: an earlier file may have loaded them. */
export function setGlobals(globals, mocker, timers) {
  ({ afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } = globals);
  jest = {
    fn: (implementation) => mocker.fn(implementation),
    spyOn: (...target) => mocker.spyOn(...target),
    replaceProperty: (...target) => mocker.replaceProperty(...target),
    restoreAllMocks: () => mocker.restoreAllMocks(),
    useFakeTimers: (config) => timers.useFakeTimers(config),
    useRealTimers: () => timers.useRealTimers(),
    setSystemTime: (now) => timers.setSystemTime(now),
    getTimerCount: () => timers.getTimerCount(),
    advanceTimersByTime: (milliseconds) => timers.advanceTimersByTime(milliseconds),
    advanceTimersByTimeAsync: (milliseconds) => timers.advanceTimersByTimeAsync(milliseconds),
  };
}
