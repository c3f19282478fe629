import { describe, expect, it } from '@jest/globals';
import { outcomeOfAnswer } from './attempt-outcome.js';

describe('the outcome of an answer', () => {
  it.each([
    [200, 'acknowledged'],
    [201, 'acknowledged'],
    [204, 'acknowledged'],
    [299, 'acknowledged'],
    [300, 'refused'],
    [301, 'refused'],
    [304, 'refused'],
    [401, 'refused'],
    [410, 'refused'],
    [429, 'refused'],
    [500, 'refused'],
  ])('%i: %s', (statusCode, kind) => {
    const answer = { statusCode, contentType: null, retryAfter: null, body: Buffer.alloc(0) };
    expect(outcomeOfAnswer(answer)).toEqual({ kind, answer });
  });
});
