import { TOPICS } from '@bascule/contracts';
import type { VenueEvent } from '@bascule/contracts';
import type { RunningService } from '@bascule/service-host';
import { eventually } from '@bascule/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { PaymentStack } from '../testing/payment-stack.fixture.js';
import { VenueRatingsService } from './venue-ratings.service.js';

const CHAIN = 'alphanet';

describe('ratings of venues', () => {
  let stack: PaymentStack;
  let replicas: RunningService[];
  beforeAll(async () => {
    stack = await PaymentStack.start();
    replicas = [await stack.startProcess(), await stack.startProcess()];
  }, 120_000);
  beforeEach(() => stack.sql('TRUNCATE venue_ratings'));
  afterAll(() => stack.stop());

  const ratingsOf = ({ app }: RunningService) => app.get(VenueRatingsService);
  const rows = () =>
    stack.sql<{ venue: string; version: number; conversions: number; sum: string }>(
      `SELECT venue, version, conversions, shortfall_sum_ppm AS sum FROM venue_ratings ORDER BY venue`,
    );
  const measureAll = (replica: RunningService, venues: readonly string[]): Promise<void> => {
    for (const venue of venues) ratingsOf(replica).measure({ chain: CHAIN, venue, ppm: 1_000n });
    return ratingsOf(replica).flush();
  };
  const flushAll = () => Promise.all(replicas.map((replica) => ratingsOf(replica).flush()));

  it('add up what all replicas measured, whatever the order of their venues', async () => {
    const venues = ['a', 'b', 'c', 'd'];
    for (let round = 0; round < 10; round += 1) {
      await Promise.all(
        replicas.map((replica, n) => measureAll(replica, n === 0 ? venues : venues.toReversed())),
      );
    }
    await flushAll();
    const conversions = { conversions: 20, sum: '20000' };
    expect(await rows()).toMatchObject(venues.map((venue) => ({ venue, ...conversions })));
  });

  it('publish each change with the next version', async () => {
    for (const replica of [...replicas, ...replicas]) await measureAll(replica, ['published']);
    await flushAll();
    const [row] = await rows();
    await eventually(async () => {
      const records = await stack.sql<{ key: string; value: Buffer }>(
        `SELECT key, value FROM event_log.records WHERE topic = $1 AND key = $2 ORDER BY "offset"`,
        [TOPICS.venues.name, `${CHAIN}:published`],
      );
      const states = records.map(({ value }) => (JSON.parse(value.toString()) as VenueEvent).data);
      expect(states.map(({ version }) => version)).toEqual(states.map((_, n) => n + 1));
      expect(states.at(-1)).toMatchObject({
        ...{ version: row?.version, conversions: 4, shortfall_ppm: 1_000 },
        ...{ chain: CHAIN, venue: 'published' },
      });
    });
  });

  it('are stored by a process that stops', async () => {
    const stopping = await stack.startProcess();
    ratingsOf(stopping).measure({ chain: CHAIN, venue: 'last', ppm: 1_000n });
    await stack.stopProcess(stopping);
    expect(await rows()).toMatchObject([{ venue: 'last', conversions: 1 }]);
  });

  it('count nothing twice where the database does not answer, and stop no process', async () => {
    const [replica] = replicas;
    if (replica === undefined) throw new Error('no replica runs');
    await stack.sql('ALTER TABLE venue_ratings RENAME TO away');
    await measureAll(replica, ['dropped']);
    const shortfallOf = await ratingsOf(replica).shortfallsOn(CHAIN);
    expect(shortfallOf('dropped')).toBe(0n);
    await stack.sql('ALTER TABLE away RENAME TO venue_ratings');
    await measureAll(replica, ['kept']);
    expect(await rows()).toMatchObject([{ venue: 'kept', conversions: 1 }]);
  });
});
