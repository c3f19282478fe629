import { ServiceContext } from '@bascule/process';
import { Injectable } from '@nestjs/common';
import { Counter } from 'prom-client';

@Injectable()
export class TransactionMetrics {
  readonly settled: Counter<'chain' | 'status'>;
  readonly replaced: Counter<'chain' | 'purpose'>;
  readonly refused: Counter<'chain' | 'reason'>;

  constructor({ metrics }: ServiceContext) {
    const registers = [metrics];
    this.settled = new Counter({
      name: 'chain_transactions_settled_total',
      help: 'Transactions whose outcome is final.',
      labelNames: ['chain', 'status'],
      registers,
    });
    this.replaced = new Counter({
      name: 'chain_transactions_replaced_total',
      help: 'Further attempts of transactions, with higher fees or to use up a nonce.',
      labelNames: ['chain', 'purpose'],
      registers,
    });
    this.refused = new Counter({
      name: 'chain_transactions_refused_total',
      help: 'Attempts that no node took; unfunded: the signer needs native currency.',
      labelNames: ['chain', 'reason'],
      registers,
    });
  }
}
