import { OperatorError, runCommand, withDatabase } from '@bascule/operator-commands';
import type { Output } from '@bascule/operator-commands';
import { parseConfig } from '@bascule/process';
import type { DataSource } from 'typeorm';
import { PAYMENT_SCHEMA, paymentPolicy, policyEnv } from './config/payment.config.js';
import { PaymentReaderRepository } from './persistence/payment-reader.repository.js';
import { entities, migrations } from './persistence/persistence.config.js';
import { TimelineRepository } from './persistence/timeline.repository.js';
import { parseOperatorArguments } from './reading/operator-arguments.js';
import { TimelineReaderService } from './reading/timeline-reader.service.js';

const AT_ONCE = 500;

/** Prints the payment's state, then one entry per line, oldest first. */
async function printTimeline(
  dataSource: DataSource,
  paymentId: string,
  output: Output,
): Promise<void> {
  const policy = paymentPolicy(parseConfig(process.env, policyEnv));
  const timelines = new TimelineReaderService(new TimelineRepository(dataSource), {
    known: () => policy,
  });
  const found = await new PaymentReaderRepository(dataSource).find(paymentId);
  if (found === null) throw new OperatorError('Payment not found.');
  for (let after: number | null = 0; after !== null;) {
    const { entries, next_pagination_key, ...state } = await timelines.page(found, {
      after,
      limit: AT_ONCE,
    });
    if (after === 0) output.json(state);
    for (const entry of entries) output.json(entry);
    after = next_pagination_key === null ? null : Number(next_pagination_key);
  }
}

/** `npm run operator -- payments …`; prints one JSON object per line. */
process.exitCode = await runCommand('payments', async (output) => {
  const { paymentId } = parseOperatorArguments(process.argv.slice(2));
  const database = { schema: PAYMENT_SCHEMA, entities, migrations };
  await withDatabase(database, (dataSource) => printTimeline(dataSource, paymentId, output));
});
