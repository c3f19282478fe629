import { describe, expect, it } from '@jest/globals';
import { AnswerTooLargeError } from '@bascule/chain';
import { HttpRequestError, RpcRequestError, TimeoutError } from 'viem';
import { isTimeout } from './bounded-answers.client.js';

const url = 'http://node.example';
const said = (message: string, code = -32_000) =>
  new RpcRequestError({ body: {}, url, error: { code, message } });
const timeout = () => new TimeoutError({ body: {}, url });
const tooLarge = () => new AnswerTooLargeError(said('response too large'));

describe('a timeout', () => {
  it.each([
    said('request timed out', -32_002),
    said('query timeout exceeded'),
    said('execution timeout'),
    said('context deadline exceeded'),
    timeout(),
    new HttpRequestError({ url, status: 504 }),
  ])('is told by %s', (error) => {
    expect(isTimeout(error)).toBe(true);
  });

  it.each([said('header not found'), tooLarge(), new HttpRequestError({ url, status: 502 })])(
    'is not told by %s',
    (error) => {
      expect(isTimeout(error)).toBe(false);
    },
  );
});
