import { parseDecimal } from '@bascule/amounts';
import { describe, expect, it } from '@jest/globals';
import type { Observation, PriceSource } from '../prices/price-source.js';
import { SourceWatch } from './source-watch.js';

const now = new Date('2026-01-01T00:00:00Z');
const assets = { fiats: [], tokens: [] };
const NOTHING = { quotes: [], troubles: [] };
const answer: Observation = {
  quotes: [{ asset: 'x', usd: parseDecimal('1'), source: 's', asOf: now, saidAt: now }],
  troubles: [],
};

/** A source whose answers come when told. */
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

describe('SourceWatch', () => {
  it('uses each answer once', async () => {
    const source = slowSource();
    const watch = new SourceWatch(source);
    const asked = watch.ask(now, assets);
    source.finish();
    await asked;
    expect(watch.take()).toBe(answer);
    expect(watch.take()).toEqual(NOTHING);
  });

  it('does not ask again while a question is open, whose answer counts when it comes', async () => {
    const source = slowSource();
    const watch = new SourceWatch(source);
    const first = watch.ask(now, assets);
    const second = watch.ask(now, assets);
    expect(source.asked).toBe(1);
    expect(watch.take()).toEqual(NOTHING);
    source.finish();
    await Promise.all([first, second]);
    expect(watch.take()).toBe(answer);
  });

  it('reports a failure, and asks again afterwards', async () => {
    const source = slowSource();
    const watch = new SourceWatch(source);
    const failed = watch.ask(now, assets);
    const error = new Error('down');
    source.finish(error);
    await failed;
    expect(watch.take()).toEqual({ quotes: [], troubles: [error] });
    const asked = watch.ask(now, assets);
    source.finish();
    await asked;
    expect(watch.take()).toBe(answer);
  });
});
