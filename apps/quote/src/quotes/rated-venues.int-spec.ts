import { eventually } from '@bascule/testing';
import type { Venue, VenueQuote } from '@bascule/venues';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { VENUES } from '../sources/source-registry.js';
import { VenueRatingsService } from '../sources/venue-ratings.service.js';
import { USDC, venueRatingRecord, WETH } from '../testing/catalogue-feed.fixture.js';
import {
  fixedInput,
  fixedOutput,
  startQuoteStand,
  type QuoteStand,
} from '../testing/quote-stand.fixture.js';

const LIAR = 'overquoting';
const CHAIN = 'alphanet';

/** Adds a venue that quotes 0.3 % more than Uniswap, or an input that is as much lower. */
function addLiar(venues: Venue[]): void {
  const honest = venues.find(({ name }) => name === 'uniswap_v3');
  if (honest === undefined) throw new Error('uniswap_v3 not found');
  venues.push({
    ...{ name: LIAR, mayConvert: () => true, pairs: async () => [] },
    quoteExactInput: async (...question): Promise<VenueQuote | null> => {
      const quote = await honest.quoteExactInput(...question);
      return quote && { ...quote, venue: LIAR, amountOut: (quote.amountOut * 1_003n) / 1_000n };
    },
    quoteExactOutput: async (...question) => {
      const quote = await honest.quoteExactOutput(...question);
      return quote && { ...quote, venue: LIAR, amountIn: (quote.amountIn * 1_000n) / 1_003n };
    },
  });
}

describe('quotes where a venue pays less than it quotes', () => {
  let stand: QuoteStand;
  let version = 0;
  beforeAll(async () => {
    stand = await startQuoteStand({});
    addLiar(stand.service.app.get<Venue[]>(VENUES));
  });
  afterAll(() => stand.stop());

  /** Publishes a rating of the venue as payment does; returns when the process ranks it by this shortfall. */
  async function rate(counted: number, conversions = 5, ageMs = 0, ppm = counted): Promise<void> {
    version += 1;
    const measured_at = new Date(Date.now() - ageMs).toISOString();
    const rating = { version, chain: CHAIN, venue: LIAR, conversions, shortfall_ppm: ppm };
    await stand.transport.publish([venueRatingRecord({ ...rating, measured_at })]);
    const ratings = stand.service.app.get(VenueRatingsService);
    await eventually(async () => {
      const rows = await stand.database.rows<object>('SELECT version FROM venue_ratings');
      expect(rows).toEqual([{ version }]);
    });
    await eventually(async () => {
      expect((await ratings.shortfallsOn(CHAIN))(LIAR)).toBe(BigInt(counted));
    });
  }

  /** Venues at which the quoted routes convert. */
  async function venuesOf(request: object): Promise<unknown[]> {
    const { status, body } = await stand.ask(request);
    expect(status).toBe(200);
    const pieces = body.quotes.flatMap(({ route }) => route.flatMap((step) => step.pieces_info));
    return pieces.filter(({ type }) => type === 'convert').map(({ venue }) => venue);
  }

  it.each([
    ['given input', fixedInput(USDC, '100', WETH)],
    ['given output', fixedOutput(WETH, '0.03', USDC)],
  ])('take the next venue by its published rating for a %s', async (_, request) => {
    await rate(0, 0);
    expect(await venuesOf(request)).toEqual([LIAR]);
    await rate(3_100);
    expect(await venuesOf(request)).toEqual(['uniswap_v3']);
  });

  it('take the venue again a day after its last measurement, and before its fifth', async () => {
    await rate(3_100);
    await rate(0, 64, 86_400_000, 3_100);
    expect(await venuesOf(fixedInput(USDC, '100', WETH))).toEqual([LIAR]);
    await rate(3_100);
    await rate(0, 4, 0, 3_100);
    expect(await venuesOf(fixedInput(USDC, '100', WETH))).toEqual([LIAR]);
  });

  it('keep the venue where no other converts', async () => {
    await rate(100_000);
    const venues = stand.service.app.get<Venue[]>(VENUES);
    const others = venues.filter(({ name }) => name !== LIAR);
    const [liar] = venues.filter(({ name }) => name === LIAR);
    expect(liar).toBeDefined();
    venues.splice(0, venues.length, ...(liar === undefined ? [] : [liar]));
    expect(await venuesOf(fixedInput(USDC, '100', WETH))).toEqual([LIAR]);
    venues.splice(0, 1, ...others, ...(liar === undefined ? [] : [liar]));
  });

  it('keep the newest rating of each venue', async () => {
    await rate(3_100);
    const older = { version: 1, chain: CHAIN, venue: LIAR, conversions: 5, shortfall_ppm: 0 };
    const measured_at = new Date().toISOString();
    await stand.transport.publish([
      venueRatingRecord({ ...older, measured_at }),
      venueRatingRecord({ ...older, venue: 'another', measured_at }),
    ]);
    const newest = `SELECT venue, version FROM venue_ratings ORDER BY venue`;
    await eventually(async () => {
      expect(await stand.database.rows(newest)).toEqual([
        { venue: 'another', version: 1 },
        { venue: LIAR, version },
      ]);
    });
  });
});
