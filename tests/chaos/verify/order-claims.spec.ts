import { developmentAddresses } from '@bascule/solidity';
import { describe, expect, it } from '@jest/globals';
import type { Address } from 'viem';
import {
  crossedRecords,
  crossedRows,
  declaration,
  DESTINATION,
  FILLER,
  order,
  ORDER_ID,
  OWNER,
  PAYMENT_ID,
  usdcHere,
  WALLET,
} from './testing/crossing.fixture.js';
import type { ChainRecord, OpenedOrder, OrderFill } from './chain-record.js';
import type { DatabaseRows } from './database-rows.js';
import { Findings } from './findings.js';
import { OrderClaims } from './order-claims.js';

const payment = {
  scenario: 'crossing',
  chain: { name: 'alphanet' },
  destination: DESTINATION,
  accepted: { id: PAYMENT_ID, wallet: WALLET, declaration },
};

interface World {
  here: ChainRecord;
  there: ChainRecord;
  rows: DatabaseRows;
}

/** Lists the claims that a changed world breaks. */
function broken(change: (world: World) => void, status = 'COMPLETE'): string[] {
  const [here, there] = crossedRecords();
  const world = { here, there, rows: crossedRows() };
  change(world);
  const findings = new Findings();
  new OrderClaims(findings).verify(payment, status, [world.here, world.there], world.rows);
  return findings.claims.filter((claim) => claim.broken.length > 0).map(({ text }) => text);
}

const OPENED = 'a leg that crosses locks its output in one order, as declared';
const FILLED = 'an order is filled once at most, with at least its minimum';
const CLOSED = 'an order is released once to its filler, else refunded to its owner';
const KNOWN = 'payment and solver have the right outcome of each order';
const UNDELIVERED = 'a cross-chain payment fails only when its order stays unfilled';

const opened = ({ here }: World): OpenedOrder => {
  const [first] = here.orders;
  if (!first) throw new Error('there is an order');
  return first;
};
const fill = ({ there }: World): OrderFill => {
  const [first] = there.fills;
  if (!first) throw new Error('there is a fill');
  return first;
};

/** Removes the fill. */
function unfilled({ here, there, rows }: World): void {
  here.closings = [];
  there.fills = [];
  there.transfers = [];
  const [leg] = rows.legs;
  if (leg?.transfer) leg.transfer = { ...leg.transfer, status: 'UNFILLED', filled: null };
  rows.solverOrders = [{ id: ORDER_ID, status: 'DECLINED' }];
}

describe('claims about orders', () => {
  it('hold when an order is filled and its filler paid', () => {
    expect(broken(() => undefined)).toEqual([]);
  });

  it('hold when an order stays unfilled, with or without a refund', () => {
    expect(broken(unfilled, 'FAILED')).toEqual([]);
    const refunded =
      (receiver: Address) =>
      (world: World): void => {
        unfilled(world);
        world.here.closings = [{ orderId: ORDER_ID, to: 'owner', receiver, amount: 200n }];
      };
    expect(broken(refunded(OWNER), 'FAILED')).toEqual([]);
    expect(broken(refunded(WALLET), 'FAILED')).toEqual([]);
  });

  it.each<[string, string, (world: World) => void]>([
    ['a second order of the leg', OPENED, (w) => w.here.orders.push(opened(w))],
    [
      'an order smaller than the output of the leg',
      OPENED,
      (w) => (opened(w).order = { ...order, inputAmount: 199n }),
    ],
    ['another owner of the order', OPENED, (w) => (opened(w).order = { ...order, owner: FILLER })],
    ['another minimum than declared', OPENED, (w) => (opened(w).order = { ...order, minimum: 1n })],
    ['a second fill', FILLED, (w) => w.there.fills.push({ ...fill(w), hash: '0x88' })],
    ['a fill below the minimum', FILLED, (w) => (fill(w).amount = 194n)],
    ['a fill without a transfer', FILLED, (w) => (w.there.transfers = [])],
    ['an unpaid filler', CLOSED, (w) => (w.here.closings = [])],
    [
      'a refund of a filled order',
      CLOSED,
      (w) =>
        w.here.closings.push({ orderId: ORDER_ID, to: 'owner', receiver: OWNER, amount: 200n }),
    ],
    [
      'a release to another receiver',
      CLOSED,
      (w) =>
        w.here.closings.splice(0, 1, {
          orderId: ORDER_ID,
          to: 'filler',
          receiver: OWNER,
          amount: 200n,
        }),
    ],
    [
      'an outdated status at the solver',
      KNOWN,
      (w) => (w.rows.solverOrders = [{ id: ORDER_ID, status: 'FILLED' }]),
    ],
    [
      'a missing transfer at the payment service',
      KNOWN,
      (w) => w.rows.legs.forEach((leg) => (leg.transfer = null)),
    ],
  ])('detect %s', (_, claim, change) => {
    expect(broken(change)).toContain(claim);
  });

  it('detect a failed payment with a delivered or still fillable order', () => {
    expect(broken(() => undefined, 'FAILED')).toEqual([UNDELIVERED]);
    const early = (world: World): void => {
      unfilled(world);
      world.here.time = order.fillDeadline;
    };
    expect(broken(early, 'FAILED')).toEqual([UNDELIVERED]);
  });

  it('require the escrow to hold exactly the open orders', async () => {
    const { intentEscrow } = developmentAddresses;
    const held = (units: bigint) => ({ [`${usdcHere} ${intentEscrow.toLowerCase()}`]: units });
    const verdict = async (units: bigint, isOpen: boolean) => {
      const [here, there] = crossedRecords(held(units));
      if (isOpen) here.closings = [];
      const findings = new Findings();
      await new OrderClaims(findings).verifyEscrows([here, there]);
      return findings.claims.flatMap((claim) => claim.broken).length;
    };
    expect(await verdict(0n, false)).toBe(0);
    expect(await verdict(200n, true)).toBe(0);
    expect(await verdict(199n, true)).toBe(1);
    expect(await verdict(1n, false)).toBe(1);
  });
});
