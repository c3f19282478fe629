import { describe, expect, it } from '@jest/globals';
import { BaseError, HttpRequestError, ResponseBodyTooLargeError, RpcRequestError } from 'viem';
import { AnswerTooLargeError, isTooLarge, tellsOfSize } from './answer-too-large-error.js';

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
    expect(tellsOfSize(said(message), 'eth_getLogs')).toBe(true);
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
    expect(tellsOfSize(said(message), 'eth_getLogs')).toBe(false);
  });

  it('is for its size by the client’s limit, and by status 413 alone', () => {
    const limited = new ResponseBodyTooLargeError({ maxSize: 1, size: 2 });
    expect(tellsOfSize(limited, 'eth_call')).toBe(true);
    const answered = (status: number) =>
      tellsOfSize(new HttpRequestError({ url, status }), 'eth_call');
    expect([413, 429, 503].map(answered)).toEqual([true, false, false]);
    expect(tellsOfSize(new Error('response too large'), 'eth_getLogs')).toBe(false);
  });

  it.each(['eth_call', 'eth_estimateGas', 'eth_sendRawTransaction'])(
    'is told by no words of a contract, which %s repeats',
    (method) => {
      expect(tellsOfSize(said('execution reverted: too many', 3), method)).toBe(false);
    },
  );

  it('is found below the errors that wrap it', () => {
    const refused = new AnswerTooLargeError(said('query returned more than 10000 results'));
    expect(isTooLarge(new BaseError('reading failed', { cause: refused }))).toBe(true);
    expect(isTooLarge(said('query returned more than 10000 results'))).toBe(false);
  });
});
