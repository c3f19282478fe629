import { TOPICS } from '@bascule/contracts';
import type { VenueEvent } from '@bascule/contracts';
import type { RunningService } from '@bascule/service-host';
import { eventually } from '@bascule/testing';
import { createVenues } from '@bascule/venues';
import type { Venue } from '@bascule/venues';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Hash, Hex } from 'viem';
import type { PaymentRecord } from '../life-cycle/payment-record.js';
import { VenueRatingsService } from '../ratings/venue-ratings.service.js';
import { USDC, WETH } from '../testing/a-quote.fixture.js';
import { OverquotingVenue } from '../testing/overquoting-venue.fixture.js';
import { PaymentStack } from '../testing/payment-stack.fixture.js';
import { VENUES } from './conversion.client.js';
import { formatLegReference } from './leg-reference.js';
import { LegSettlementsService } from './leg-settlements.service.js';

const AMOUNT = 10_000_000n;
const WISH = { input: USDC, output: WETH, amount: AMOUNT };
const LIAR = 'overquoting';
const HONEST = 'uniswap_v3';

interface Row {
  conversions: number;
  sum: number;
}

describe('payments where a venue pays less than it quotes', () => {
  let stack: PaymentStack;
  let service: RunningService;
  beforeEach(async () => {
    stack = await PaymentStack.start({
      EXECUTION_RETRY_MS: '300',
      EXECUTION_PATIENCE_MS: '600000',
    });
    service = await stack.startProcess();
  }, 120_000);
  afterEach(() => stack.stop());

  /** Adds a venue that converts at Uniswap, and quotes some millionths more than that pays. */
  function addLiar(liePpm: bigint, process = service): void {
    const venues = process.app.get<Venue[]>(VENUES);
    const honest = createVenues().find(({ name }) => name === HONEST);
    if (honest === undefined) throw new Error(`${HONEST} not found`);
    venues.push(new OverquotingVenue(honest, liePpm));
  }

  const venueOf = ({ legs: [leg] }: PaymentRecord) => leg?.conversion?.venue;

  async function fund(): Promise<PaymentRecord> {
    const payment = await stack.confirm(service, WISH);
    await stack.send(USDC, payment.walletAddress, AMOUNT);
    return payment;
  }

  async function pay(): Promise<PaymentRecord> {
    return stack.expectToBecome(await fund(), { status: 'COMPLETE' });
  }

  async function rating(venue: string): Promise<Row | null> {
    const rows = await stack.sql<Row>(
      `SELECT conversions, shortfall_sum_ppm::int AS sum FROM venue_ratings
       WHERE chain = 'alphanet' AND venue = $1`,
      [venue],
    );
    return rows[0] ?? null;
  }

  const ratedTimes = (venue: string, conversions: number): Promise<Row> =>
    eventually(
      async () => {
        const row = await rating(venue);
        if (row?.conversions !== conversions) throw new Error(JSON.stringify(row));
        return row;
      },
      { timeoutMs: 30_000 },
    );

  /** Waits until the process ranks a venue by a shortfall between these. */
  const ranked = (venue: string, least: number, most: number): Promise<void> =>
    eventually(
      async () => {
        const metrics = await (await fetch(`${service.operationsUrl}/metrics`)).text();
        const line = new RegExp(`^venue_shortfall_ppm\\{.*venue="${venue}".*\\} (\\d+)$`, 'm');
        const ppm = Number(line.exec(metrics)?.[1]);
        expect(ppm).toBeGreaterThanOrEqual(least);
        expect(ppm).toBeLessThanOrEqual(most);
      },
      { timeoutMs: 30_000 },
    );

  const events = async (): Promise<VenueEvent[]> => {
    const rows = await stack.sql<{ value: Buffer }>(
      `SELECT value FROM event_log.records WHERE topic = $1 ORDER BY "offset"`,
      [TOPICS.venues.name],
    );
    return rows.map(({ value }) => JSON.parse(value.toString()) as VenueEvent);
  };

  it('complete throughout, take the next venue after five, and try the first again after a day', async () => {
    addLiar(3_000n);
    for (let n = 1; n <= 5; n += 1) {
      const paid = await pay();
      const [leg] = paid.legs;
      expect(leg?.conversion).toMatchObject({ venue: LIAR, attempt: 1 });
      expect(leg?.settlement?.output).toBeLessThan(leg?.conversion?.quoted ?? 0n);
      await ratedTimes(LIAR, n);
    }
    // 0.3 % of a quote that is 0.3 % too high, and what the pool moves by.
    await ranked(LIAR, 2_900, 3_100);
    expect(venueOf(await pay())).toBe(HONEST);
    expect(await ratedTimes(HONEST, 1)).toMatchObject({ sum: expect.any(Number) });

    await stack.sql(`UPDATE venue_ratings SET measured_at = measured_at - interval '1 day'`);
    await ranked(LIAR, 0, 0);
    expect(venueOf(await pay())).toBe(LIAR);
    await ratedTimes(LIAR, 1);

    await eventually(async () => {
      const about = (await events()).filter(({ data }) => data.venue === LIAR);
      expect(about.map(({ data }) => data.conversions)).toEqual([1, 2, 3, 4, 5, 1]);
      expect(about.map(({ data }) => data.version)).toEqual([1, 2, 3, 4, 5, 6]);
      const [first] = about;
      expect(first).toMatchObject({ type: 'venue.rated', data: { chain: 'alphanet' } });
      expect(first?.data.shortfall_ppm).toBeGreaterThan(2_900);
    });
  }, 240_000);

  it('complete where every transaction of a venue would revert, each counting once', async () => {
    addLiar(500_000n);
    for (let n = 1; n <= 2; n += 1) {
      const paid = await pay();
      expect([venueOf(paid), paid.legs[0]?.attempts]).toEqual([HONEST, 1]);
      expect(await ratedTimes(LIAR, n)).toMatchObject({ sum: n * 100_000 });
    }
  }, 120_000);

  it('count once where a venue that no other replaces fails a leg again and again', async () => {
    service.app.get<Venue[]>(VENUES).splice(0);
    addLiar(500_000n);
    const payment = await fund();
    await eventually(async () => {
      const { legs } = await stack.read(payment.id);
      expect(legs[0]?.failure?.tries).toBeGreaterThan(3);
    });
    await service.app.get(VenueRatingsService).flush();
    expect(await rating(LIAR)).toMatchObject({ conversions: 1 });
  }, 120_000);

  it('complete at a venue that lost its place where no other converts', async () => {
    const venues = service.app.get<Venue[]>(VENUES);
    venues.splice(0);
    addLiar(3_000n);
    const ratings = service.app.get(VenueRatingsService);
    for (let n = 0; n < 9; n += 1) {
      ratings.measure({ chain: 'alphanet', venue: LIAR, ppm: 100_000n });
    }
    await ranked(LIAR, 100_000, 100_000);
    expect(venueOf(await pay())).toBe(LIAR);
  }, 120_000);

  it('count each conversion once, though its outcome is reported again by two replicas', async () => {
    const other = await stack.startProcess();
    addLiar(3_000n);
    addLiar(3_000n, other);
    const paid = await pay();
    await ratedTimes(LIAR, 1);
    const reference = formatLegReference({ paymentId: paid.id, legIndex: 0, attempt: 1 });
    const hash = paid.legs[0]?.transactionHash as Hash;
    const receipt = await stack.node.getTransactionReceipt({ hash });
    for (const { app } of [service, other, service]) {
      await app.get(LegSettlementsService).settle(reference, { status: 'success', hash, receipt });
      await app.get(VenueRatingsService).flush();
    }
    expect(await rating(LIAR)).toMatchObject({ conversions: 1 });
  }, 120_000);

  it('count a transaction that its conversion reverted on the chain, once', async () => {
    // A minimum that is as close to the price could revert the transaction by itself.
    const payment = await stack.confirm(service, { ...WISH, minOutput: 1n });
    await stack.stopMining();
    const deposit = await stack.alphanet.submit(USDC, payment.walletAddress, AMOUNT);
    await stack.node.mine({ blocks: 2 });
    await stack.alphanet.mined(deposit);
    const executing = await stack.expectToBecome(payment, {
      legs: [{ status: 'EXECUTING', transactionHash: expect.any(String) }],
    });
    const router = stack.chain.definition.contracts.uniswapV3?.swapRouter02;
    if (router === undefined) throw new Error('alphanet has no router');
    const code: Hex = (await stack.node.getCode({ address: router })) ?? '0x';
    // PUSH0 PUSH0 REVERT
    await stack.node.setCode({ address: router, bytecode: '0x5f5ffd' });
    await stack.node.mine({ blocks: 2 });
    await stack.node.setCode({ address: router, bytecode: code });
    await stack.resumeMining();
    const paid = await stack.expectToBecome(payment, { status: 'COMPLETE' });
    expect([executing.legs[0]?.attempts, paid.legs[0]?.attempts]).toEqual([1, 2]);
    const { sum } = await ratedTimes(HONEST, 2);
    expect(sum).toBeGreaterThan(19_000);
    expect(sum).toBeLessThan(21_000);
  }, 120_000);
});
