import { describe, expect, it } from '@jest/globals';
import { FailureWindow } from './failure-window.js';

const OPTIONS = { minKeys: 8, minGroups: 2 };

/** Records outcomes of as many keys of a group. */
function record(window: FailureWindow, group: string, keys: number, failed: boolean): void {
  for (let n = 0; n < keys; n += 1) window.record(group, `${group}-${failed}-${n}`, failed);
}

describe('FailureWindow', () => {
  it('fails when most keys fail, across organisations', () => {
    const window = new FailureWindow(OPTIONS);
    record(window, 'a', 4, true);
    record(window, 'b', 3, true);
    expect(window.isFailing()).toBe(false);
    window.record('b', 'another', true);
    expect(window.isFailing()).toBe(true);
  });

  it('does not fail by thousands of keys of one organisation, nor by one key of another with it', () => {
    const window = new FailureWindow(OPTIONS);
    record(window, 'attacker', 5_000, true);
    for (const other of ['b', 'c', 'd']) window.record(other, other, true);
    expect(window.isFailing()).toBe(false);
    expect(window.size).toBe(7);
  });

  it('fails by one organisation where one is enough', () => {
    const window = new FailureWindow({ ...OPTIONS, minGroups: 1 });
    record(window, 'only', 8, true);
    expect(window.isFailing()).toBe(true);
  });

  it('counts one failing key once, whatever its attempts', () => {
    const window = new FailureWindow(OPTIONS);
    for (let attempt = 0; attempt < 50; attempt += 1) window.record('a', 'key', true);
    expect(window.size).toBe(1);
  });

  it('does not fail while others succeed, which one organisation with many successes cannot feign', () => {
    const window = new FailureWindow(OPTIONS);
    for (const group of ['a', 'b', 'c']) record(window, group, 4, true);
    record(window, 'attacker', 5_000, false);
    expect(window.isFailing()).toBe(true);
    for (const group of ['d', 'e']) record(window, group, 4, false);
    expect(window.isFailing()).toBe(false);
  });

  it('forgets successes after ten minutes, failures only once the key succeeds', () => {
    let now = 0;
    const window = new FailureWindow(OPTIONS, () => now);
    for (const group of ['a', 'b', 'c']) record(window, group, 4, false);
    for (const group of ['d', 'e']) record(window, group, 4, true);
    expect(window.isFailing()).toBe(false);
    now += 10 * 60_000;
    expect(window.isFailing()).toBe(true);
    window.record('d', 'd-true-0', false);
    expect(window.isFailing()).toBe(false);
  });

  it('stays bounded, however many keys and organisations there are', () => {
    const window = new FailureWindow(OPTIONS);
    for (let n = 0; n < 1_000; n += 1) record(window, `group ${n}`, 10, n % 2 === 0);
    expect(window.size).toBe(400);
    window.clear();
    expect(window.size).toBe(0);
  });
});
