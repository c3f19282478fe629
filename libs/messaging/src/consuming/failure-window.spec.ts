import { describe, expect, it } from '@jest/globals';
import { FailureWindow, type Outcome } from './failure-window.js';

const OPTIONS = { minKeys: 8, minGroups: 3 };
const MINUTE_MS = 60_000;

/** Records outcomes of as many keys of a group. */
function record(window: FailureWindow, group: string, keys: number, outcome: Outcome): void {
  for (let n = 0; n < keys; n += 1) window.record(group, `${group}-${outcome}-${n}`, outcome);
}

describe('FailureWindow', () => {
  it('fails when most keys fail, across organisations', () => {
    const window = new FailureWindow(OPTIONS);
    record(window, 'a', 4, 'failed');
    record(window, 'b', 3, 'failed');
    expect(window.isFailing()).toBe(false);
    window.record('b', 'another', 'failed');
    expect(window.isFailing()).toBe(true);
  });

  it('does not fail by thousands of keys of one organisation, nor by one key of another with it', () => {
    const window = new FailureWindow(OPTIONS);
    record(window, 'attacker', 5_000, 'failed');
    for (const other of ['b', 'c', 'd']) window.record(other, other, 'failed');
    expect(window.isFailing()).toBe(false);
    expect(window.size).toBe(7);
  });

  it('fails by one organisation where one is enough', () => {
    const window = new FailureWindow({ ...OPTIONS, minGroups: 1 });
    record(window, 'only', 8, 'failed');
    expect(window.isFailing()).toBe(true);
  });

  it('counts one failing key once, whatever its attempts', () => {
    const window = new FailureWindow(OPTIONS);
    for (let attempt = 0; attempt < 50; attempt += 1) window.record('a', 'key', 'failed');
    expect(window.size).toBe(1);
  });

  it('does not fail while others succeed, which one organisation with many successes cannot feign', () => {
    const window = new FailureWindow(OPTIONS);
    for (const group of ['a', 'b', 'c']) record(window, group, 4, 'failed');
    record(window, 'attacker', 5_000, 'succeeded');
    expect(window.isFailing()).toBe(true);
    for (const group of ['d', 'e']) record(window, group, 4, 'succeeded');
    expect(window.isFailing()).toBe(false);
  });

  it('forgets successes after ten minutes, failures only once the key succeeds', () => {
    let now = 0;
    const window = new FailureWindow(OPTIONS, () => now);
    for (const group of ['a', 'b', 'c']) record(window, group, 4, 'succeeded');
    for (const group of ['d', 'e', 'f']) record(window, group, 3, 'failed');
    expect(window.isFailing()).toBe(false);
    now += 10 * MINUTE_MS;
    expect(window.isFailing()).toBe(true);
    for (const key of ['d-failed-0', 'd-failed-1']) window.record('d', key, 'succeeded');
    expect(window.isFailing()).toBe(false);
  });

  it('does not fail by two organisations where a third one is known, even one that is idle', () => {
    let now = 0;
    const window = new FailureWindow(OPTIONS, () => now);
    window.record('honest', 'its key', 'succeeded');
    window.clear();
    now += 60 * MINUTE_MS;
    for (const group of ['attacker', 'accomplice']) record(window, group, 1_000, 'failed');
    expect(window.isFailing()).toBe(false);
    window.record('honest', 'its key', 'failed');
    expect(window.isFailing()).toBe(true);
  });

  it('does not fail while most organisations succeed, however many keys the others have', () => {
    const window = new FailureWindow(OPTIONS);
    for (const group of ['a', 'b', 'c']) record(window, group, 4, 'failed');
    for (const group of ['d', 'e', 'f']) window.record(group, 'its only key', 'succeeded');
    expect(window.isFailing()).toBe(false);
    record(window, 'g', 2, 'failed');
    expect(window.isFailing()).toBe(true);
  });

  it('fails by two organisations where no other one is known', () => {
    const window = new FailureWindow(OPTIONS);
    for (const group of ['a', 'b']) record(window, group, 4, 'failed');
    expect(window.isFailing()).toBe(true);
  });

  it('counts an event that became a dead letter at once for ten minutes', () => {
    let now = 0;
    const window = new FailureWindow(OPTIONS, () => now);
    for (const group of ['a', 'b', 'c']) record(window, group, 3, 'refused');
    now += 10 * MINUTE_MS - 1;
    expect(window.isFailing()).toBe(true);
    expect(window.parkedKeys()).toEqual([]);
    now += 1;
    expect(window.isFailing()).toBe(false);
  });

  it('names the keys that must be parked a minute after their failure, and forgets them when told', () => {
    let now = 0;
    const window = new FailureWindow(OPTIONS, () => now);
    for (const group of ['a', 'b', 'c']) record(window, group, 3, 'failed');
    expect(window.parkedKeys()).toEqual([]);
    now += MINUTE_MS;
    window.record('a', 'a-failed-0', 'failed');
    const keys = window.parkedKeys();
    expect(keys).toHaveLength(8);
    expect(keys).not.toContain('a-failed-0');
    window.forget(keys);
    expect(window.size).toBe(1);
  });

  it('stays bounded, however many keys and organisations there are', () => {
    const window = new FailureWindow(OPTIONS);
    for (let n = 0; n < 1_000; n += 1)
      record(window, `group ${n}`, 10, n % 2 === 0 ? 'failed' : 'succeeded');
    expect(window.size).toBe(400);
    window.clear();
    expect(window.size).toBe(0);
  });
});
