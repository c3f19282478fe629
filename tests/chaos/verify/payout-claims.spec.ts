import { describe, expect, it } from '@jest/globals';
import {
  crossedRecords,
  declaration,
  DESTINATION,
  PAYMENT_ID,
  usdcHere,
  WALLET,
} from './testing/crossing.fixture.js';
import type { ChainRecord } from './chain-record.js';
import { Findings } from './findings.js';
import { PayoutClaims } from './payout-claims.js';

const payment = {
  scenario: 'crossing',
  chain: { name: 'alphanet' },
  destination: DESTINATION,
  accepted: { id: PAYMENT_ID, wallet: WALLET, declaration },
};

async function broken(
  change: (here: ChainRecord, there: ChainRecord) => void,
  status = 'COMPLETE',
): Promise<string[]> {
  const [here, there] = crossedRecords();
  change(here, there);
  const findings = new Findings();
  await new PayoutClaims(findings).verify(payment, status, [here, there]);
  return findings.claims.filter((claim) => claim.broken.length > 0).map(({ text }) => text);
}

const ONCE = 'a destination is paid once by a completed payment, else never';
const LEGS = 'a leg is executed once at most, on the chain it is declared for';
const MINIMUM = 'a payout is the whole output, at least the declared minimum';
const OTHER = 'a destination gets no other money';

describe('the payouts of a payment that crosses chains', () => {
  it('happen once, on the chain of its last leg', async () => {
    expect(await broken(() => undefined)).toEqual([]);
  });

  it('are absent while only its first leg has run', async () => {
    const onlyFirst = (_: ChainRecord, there: ChainRecord): void => {
      there.legs = [];
      there.transfers = [];
    };
    expect(await broken(onlyFirst, 'FAILED')).toEqual([]);
    expect(await broken(onlyFirst, 'COMPLETE')).toEqual([ONCE, LEGS]);
  });

  it('are rejected when an incomplete payment has paid out', async () => {
    expect(await broken(() => undefined, 'FAILED')).toEqual([ONCE]);
  });

  it('are rejected when a leg ran twice', async () => {
    const again = (here: ChainRecord): unknown => here.legs.push(...here.legs);
    expect(await broken(again)).toEqual([LEGS]);
  });

  it('are rejected when the destination is paid on another chain or twice', async () => {
    const elsewhere = {
      token: usdcHere,
      from: WALLET,
      to: DESTINATION,
      units: 1n,
      hash: '0x5',
    } as const;
    expect(await broken((here) => here.transfers.push(elsewhere))).toEqual([OTHER]);
    const twice = (_: ChainRecord, there: ChainRecord): unknown =>
      there.transfers.push(...there.transfers.filter(({ to }) => to === DESTINATION));
    expect(await broken(twice)).toEqual([OTHER]);
  });

  it('are rejected below the minimum', async () => {
    const less = (_: ChainRecord, there: ChainRecord): void => {
      there.legs = there.legs.map((leg) => ({ ...leg, output: 89n }));
      there.transfers = there.transfers.map((each) =>
        each.to === DESTINATION ? { ...each, units: 89n } : each,
      );
    };
    expect(await broken(less)).toEqual([MINIMUM]);
  });
});
