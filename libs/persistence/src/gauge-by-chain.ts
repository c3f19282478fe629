import { Gauge } from 'prom-client';
import type { Registry } from 'prom-client';

export interface ChainValue {
  chain: string;
  value: number;
}

/** Shows a value of the database for each chain, and the last ones while the database does not answer. */
export const gaugeByChain = (
  metrics: Registry,
  { name, help }: { name: string; help: string },
  read: () => Promise<readonly ChainValue[]>,
): Gauge =>
  new Gauge({
    ...{ name, help, labelNames: ['chain'], registers: [metrics] },
    async collect() {
      const rows = await read().catch(() => null);
      if (rows === null) return;
      this.reset();
      for (const { chain, value } of rows) this.set({ chain }, value);
    },
  });
