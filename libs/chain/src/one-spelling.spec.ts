import { describe, expect, it } from '@jest/globals';
import { inOneSpelling } from './one-spelling.js';

const hash = `0x${'ab'.repeat(32)}`;
const spelled = `0X${'aB'.repeat(32)}`;

describe('hashes of an answer', () => {
  it.each([
    ['the answer', spelled, hash],
    ['a list', [spelled, hash], [hash, hash]],
    [
      'logs',
      [{ transactionHash: spelled, topics: [spelled], removed: false }],
      [{ transactionHash: hash, topics: [hash], removed: false }],
    ],
    [
      'a block',
      { hash: spelled, transactions: [{ hash: spelled, to: null }] },
      { hash, transactions: [{ hash, to: null }] },
    ],
  ])('are in lower case in %s', (_, answer, expected) => {
    expect(inOneSpelling(answer)).toEqual(expected);
  });

  it.each([null, true, 7, '0xAB', `0x${'AB'.repeat(33)}`, { to: `0x${'Ab'.repeat(20)}` }])(
    'are all that is changed: %j',
    (answer) => {
      expect(inOneSpelling(structuredClone(answer))).toEqual(answer);
    },
  );
});
