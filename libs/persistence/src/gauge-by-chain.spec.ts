import { describe, expect, it } from '@jest/globals';
import { Registry } from 'prom-client';
import { gaugeByChain } from './gauge-by-chain.js';

describe('a gauge by chain', () => {
  it('shows the newest values only, and keeps them while the database does not answer', async () => {
    const metrics = new Registry();
    let rows = Promise.resolve([
      { chain: 'base', value: 7 },
      { chain: 'polygon', value: 1 },
    ]);
    gaugeByChain(metrics, { name: 'lag_seconds', help: 'Lag.' }, () => rows);
    const shown = async () => {
      const lines = (await metrics.metrics()).split('\n');
      return lines.filter((line) => line !== '' && !line.startsWith('#'));
    };
    expect(await shown()).toEqual([
      'lag_seconds{chain="base"} 7',
      'lag_seconds{chain="polygon"} 1',
    ]);
    rows = Promise.resolve([{ chain: 'base', value: 8 }]);
    expect(await shown()).toEqual(['lag_seconds{chain="base"} 8']);
    rows = Promise.reject(new Error('connection refused'));
    expect(await shown()).toEqual(['lag_seconds{chain="base"} 8']);
  });
});
