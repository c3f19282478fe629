import { parseDecimal } from '@bascule/amounts';
import { describe, expect, it } from '@jest/globals';
import type { Observation, PriceSource } from '../prices/price-source.js';
import { SingleFlightSource } from './single-flight-source.js';

const now = new Date('2026-01-01T00:00:00Z');
const assets = { fiats: [], tokens: [] };
const NOTHING = { quotes: [], errors: [] };
const answer: Observation = {
  quotes: [{ asset: 'x', usd: parseDecimal('1'), source: 's', asOf: now, confirmedAt: now }],
  errors: [],
};

/** A source whose observations end on demand. */
function slowSource(): PriceSource & { asked: number; finish: (error?: Error) => void } {
  const pending: ((error?: Error) => void)[] = [];
  return {
    name: 'slow',
    isCircuitOpen: false,
    asked: 0,
    observe() {
      this.asked += 1;
      return new Promise((resolve, reject) => {
        pending.push((error) => {
          if (error) reject(error);
          else resolve(answer);
        });
      });
    },
    finish: (error) => pending.shift()?.(error),
  };
}

describe('SingleFlightSource', () => {
  it('returns each observation once', async () => {
    const source = slowSource();
    const watch = new SingleFlightSource(source);
    const asked = watch.observe(now, assets);
    source.finish();
    await asked;
    expect(watch.take()).toBe(answer);
    expect(watch.take()).toEqual(NOTHING);
  });

  it('joins the observation in flight and returns it later', async () => {
    const source = slowSource();
    const watch = new SingleFlightSource(source);
    const first = watch.observe(now, assets);
    const second = watch.observe(now, assets);
    expect(source.asked).toBe(1);
    expect(watch.take()).toEqual(NOTHING);
    source.finish();
    await Promise.all([first, second]);
    expect(watch.take()).toBe(answer);
  });

  it('reports a failure and observes again afterwards', async () => {
    const source = slowSource();
    const watch = new SingleFlightSource(source);
    const failed = watch.observe(now, assets);
    const error = new Error('down');
    source.finish(error);
    await failed;
    expect(watch.take()).toEqual({ quotes: [], errors: [error] });
    const asked = watch.observe(now, assets);
    source.finish();
    await asked;
    expect(watch.take()).toBe(answer);
  });
});
