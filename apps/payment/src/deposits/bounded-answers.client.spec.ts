import { describe, expect, it } from '@jest/globals';
import { HttpRequestError, ResponseBodyTooLargeError, RpcRequestError } from 'viem';
import { isTooLarge } from './bounded-answers.client.js';

const url = 'http://node.example';
const said = (message: string, code = -32_005) =>
  new RpcRequestError({ body: {}, url, error: { code, message } });

describe('a refusal', () => {
  it.each([
    'query returned more than 10000 results',
    'query exceeds max results 20000, retry with the range 1-2',
    'Log response size exceeded. You can make eth_getLogs requests with up to a 2K block range',
    'logs matched by query exceeds limit of 10000',
    'Response is too big',
    'Response size should not greater than 150000000 bytes',
    'exceed maximum block range: 5000',
    'eth_getLogs is limited to a 10,000 range',
  ])('for its size: %s', (message) => {
    expect(isTooLarge(said(message))).toBe(true);
  });

  it.each([
    'limit exceeded',
    'monthly limit exceeded',
    'rate limit exceeded',
    'Too many requests',
    'Your app has exceeded its compute units per second capacity',
    'daily request count exceeded, request rate limited',
    'header not found',
  ])('for another reason: %s', (message) => {
    expect(isTooLarge(said(message))).toBe(false);
  });

  it('is for its size by the client’s limit, and by status 413 alone', () => {
    expect(isTooLarge(new ResponseBodyTooLargeError({ maxSize: 1, size: 2 }))).toBe(true);
    const answered = (status: number) => isTooLarge(new HttpRequestError({ url, status }));
    expect([413, 429, 503].map(answered)).toEqual([true, false, false]);
    expect(isTooLarge(new Error('response too large'))).toBe(false);
  });
});
