import { describe, expect, it } from '@jest/globals';
import { timeLeft } from './time-left.js';

describe('timeLeft', () => {
  it.each([
    ['the destination', { destination: 70n, origin: 50n, wall: new Date(60_000) }, 30n],
    ['the origin', { destination: 50n, origin: 70n, wall: new Date(60_000) }, 30n],
    ['our own clock', { destination: 50n, origin: 60n, wall: new Date(70_999) }, 30n],
    ['the origin, past the deadline', { destination: 1n, origin: 140n, wall: new Date(0) }, -40n],
  ])('uses %s when it is ahead', (_, clocks, left) => {
    expect(timeLeft(100n, clocks)).toBe(left);
  });
});
