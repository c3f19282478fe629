import type { PublicClient } from 'viem';
import { missing, ok, unknown, wrong, type Outcome } from '../finding.js';
import { subjectOf, type UsedNode } from '../nodes.js';
import { chainIdCheck } from './chain-checks.js';
import { nodeClient } from './node-client.js';
import { readValue, type Reading, type ReadValue } from './reading.js';

/** Unanswered reads after which a node is given up. */
const MAX_UNANSWERED = 3;
const ACTION = 'see docs/operations/keys.md#wrong-deployment';

/**
 * Reads values from one node; each node answers for itself, since one of them may lie. Nothing but the chain id is read from
 * a node of another chain.
 */
export async function nodeOutcomes(
  node: UsedNode,
  readingsOf: (client: PublicClient) => readonly Reading[],
  timeoutMs: number,
): Promise<readonly Outcome[]> {
  const { definition, rpcUrls } = node.chain;
  const client = nodeClient(definition, rpcUrls[0] ?? '', timeoutMs);
  const first = await readValue(chainIdCheck(client, definition));
  const values = first.ok ? [first, ...(await readAll(readingsOf(client)))] : [first];
  const faults = values.filter(({ ok: isExpected }) => !isExpected);
  return faults.length === 0
    ? [ok(`${values.length} values`)]
    : faults.map((value) => outcomeOf(value, subjectOf(node)));
}

async function readAll(readings: readonly Reading[]): Promise<readonly ReadValue[]> {
  const values: ReadValue[] = [];
  let unanswered = 0;
  for (const reading of readings) {
    if (unanswered === MAX_UNANSWERED) {
      const { read: _, ...rest } = reading;
      values.push({ ...rest, found: 'not read: the node fails', ok: false, unanswered: true });
      continue;
    }
    const value = await readValue(reading);
    if (value.unanswered) unanswered++;
    values.push(value);
  }
  return values;
}

function outcomeOf(value: ReadValue, node: string): Outcome {
  const { check, address, expected, found, unanswered } = value;
  const subject = `${node}: ${check}${address ? ` ${address}` : ''}`;
  const compared = `${found}, expected ${expected}`;
  if (unanswered) return { subject, ...unknown(compared, 'check RPC_URLS_… and the node') };
  const isAbsent = found === 'no code' || found === 'not set';
  return { subject, ...(isAbsent ? missing : wrong)(compared, ACTION) };
}
