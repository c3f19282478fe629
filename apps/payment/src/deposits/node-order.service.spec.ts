import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { EndpointClient } from '@bascule/chain';
import { NodeOrderService } from './node-order.service.js';

const [scanned, other] = [{} as EndpointClient, {} as EndpointClient];

beforeEach(() => {
  jest.useFakeTimers();
  jest.advanceTimersByTime(1);
});
afterEach(() => {
  jest.useRealTimers();
});

describe('a node that fails', () => {
  it('is not asked as a second one for ten seconds, then for twice as long each time', () => {
    const order = new NodeOrderService();
    const isAsked = () => order.unpaused([scanned, other]).includes(other);
    expect(isAsked()).toBe(true);
    for (const seconds of [10, 20, 40, 80, 160, 300, 300]) {
      order.noteFailure(other);
      jest.advanceTimersByTime(seconds * 1_000 - 1);
      expect(isAsked()).toBe(false);
      jest.advanceTimersByTime(1);
      expect(isAsked()).toBe(true);
    }
    order.noteAnswer(other);
    order.noteFailure(other);
    jest.advanceTimersByTime(10_000);
    expect(isAsked()).toBe(true);
  });

  it('is scanned last for a minute, also where it answers as a second one meanwhile', () => {
    const order = new NodeOrderService();
    order.noteFailure(scanned);
    order.noteAnswer(scanned);
    expect(order.preferred([scanned, other])[0]).toBe(other);
    expect(order.unpaused([scanned])).toEqual([scanned]);
    jest.advanceTimersByTime(60_001);
    expect(order.preferred([scanned, other])[0]).toBe(scanned);
  });

  it('is asked last for a minute where its answer was slow', async () => {
    const order = new NodeOrderService();
    const nodes = [scanned, other];
    const answer = (ms: number) =>
      order.firstAnswer(
        nodes,
        60_000,
        () => {
          jest.advanceTimersByTime(ms);
          return Promise.resolve(ms);
        },
        () => undefined,
      );
    expect(await answer(2_000)).toBe(2_000);
    expect(order.unpaused(nodes)).toEqual([scanned, other]);
    expect(await answer(2_001)).toBe(2_001);
    expect(order.unpaused(nodes)[0]).toBe(other);
    jest.advanceTimersByTime(60_001);
    expect(order.unpaused(nodes)[0]).toBe(scanned);
  });

  it('is followed by the next one, whatever text or code it answers', async () => {
    const order = new NodeOrderService();
    const ask = (error: Error) =>
      order.firstAnswer(
        [scanned, other],
        60_000,
        (node) => (node === scanned ? Promise.reject(error) : Promise.resolve('answer')),
        () => undefined,
      );
    const text = 'connection terminated';
    expect(await ask(new SyntaxError(`Cannot convert ${text} to a BigInt`))).toBe('answer');
    expect(await ask(Object.assign(new Error(text), { code: '57P01' }))).toBe('answer');
    expect(order.unpaused([scanned, other])).toEqual([other]);
  });
});
