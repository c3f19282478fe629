import { Chains } from '@bascule/chain';
import { ServiceContext } from '@bascule/process';
import { Injectable } from '@nestjs/common';
import { Counter, Gauge } from 'prom-client';

@Injectable()
export class TransactionMetrics {
  readonly settled: Counter<'chain' | 'status'>;
  readonly replaced: Counter<'chain' | 'purpose'>;
  readonly refused: Counter<'chain' | 'reason'>;
  readonly unfunded: Gauge<'chain' | 'signer'>;
  readonly unavailable: Gauge<'signer'>;

  constructor({ metrics }: ServiceContext, chains: Chains) {
    const registers = [metrics];
    this.settled = new Counter({
      name: 'chain_transactions_settled_total',
      help: 'Settled transactions by final outcome.',
      labelNames: ['chain', 'status'],
      registers,
    });
    // From zero on, so that the first of a chain is an increase.
    for (const { name } of chains.all()) this.settled.inc({ chain: name, status: 'reverted' }, 0);
    this.replaced = new Counter({
      name: 'chain_transactions_replaced_total',
      help: 'Replacements of transactions, with higher fees or as cancellation.',
      labelNames: ['chain', 'purpose'],
      registers,
    });
    this.refused = new Counter({
      name: 'chain_transactions_refused_total',
      help: 'Attempts that nodes refused; unfunded: the signer needs native currency; private: by all private endpoints.',
      labelNames: ['chain', 'reason'],
      registers,
    });
    this.unfunded = new Gauge({
      name: 'chain_signer_unfunded',
      help: '1 where the key could not pay for the last transaction that was to be sent: fund it.',
      labelNames: ['chain', 'signer'],
      registers,
    });
    this.unavailable = new Gauge({
      name: 'chain_signer_unavailable',
      help: '1 while a key does not sign: its transactions wait, other keys continue.',
      labelNames: ['signer'],
      registers,
    });
  }
}
