import { describe, expect, it } from '@jest/globals';
import type { ReportedLog } from '@bascule/chain';
import { OWNER } from '../testing/a-payment.fixture.js';
import { withOthers } from './withdrawn-logs.js';
import type { DatedLog } from './withdrawn-logs.js';

const hash = (digit: string): `0x${string}` => `0x${digit.repeat(64)}`;
const told = (blockHash = hash('b'), nonce = 1n): DatedLog => ({
  ...{ wallet: OWNER, nonce, acceptBlame: true, transactionHash: hash('a'), blockNumber: 7n },
  blockTimestamp: new Date(0),
  reported: { blockHash, transactionHash: hash('a'), logIndex: 3 } as ReportedLog,
});

describe('withdrawals that two nodes tell', () => {
  it('count once where both tell them alike', () => {
    expect(withOthers([told()], [told()])).toHaveLength(1);
  });

  it.each([
    ['in another block', told(hash('c'))],
    ['with another nonce', told(hash('b'), 2n)],
  ])('count both where one tells it %s', (_, other) => {
    expect(withOthers([other], [told()])).toEqual([other, told()]);
  });
});
