import type { ConfiguredChain } from '@bascule/chain';
import { chainChecks, chainIdCheck } from './chain-checks.js';
import { contractChecks } from './contract-checks.js';
import type { Expectations } from './expectations.js';
import { findingOf, type Finding } from './finding.js';
import { nodeClient, REQUEST_TIMEOUT_MS } from './node-client.js';

/** Findings of one node; nodes are numbered in the order of RPC_URLS_…, since URLs may contain keys. */
export interface NodeReport {
  chain: string;
  chainId: number;
  node: number;
  findings: readonly Finding[];
}

/** Unanswered reads after which a node is given up. */
const MAX_UNANSWERED = 3;

/** Asks every node of every chain; each answers for itself, since one of them may lie. */
export function checkDeployment(
  expectations: Expectations,
  timeoutMs = REQUEST_TIMEOUT_MS,
): Promise<readonly NodeReport[]> {
  return Promise.all(
    expectations.chains.flatMap((chain) =>
      chain.rpcUrls.map((url, index) => checkNode(chain, { url, index }, expectations, timeoutMs)),
    ),
  );
}

async function checkNode(
  { definition }: ConfiguredChain,
  { url, index }: { url: string; index: number },
  expectations: Expectations,
  timeoutMs: number,
): Promise<NodeReport> {
  const client = nodeClient(definition, url, timeoutMs);
  const report = { chain: definition.name, chainId: definition.chainId, node: index + 1 };
  const first = await findingOf(chainIdCheck(client, definition));
  const findings = [first];
  if (!first.ok) return { ...report, findings };
  let unanswered = 0;
  for (const check of [
    ...chainChecks(client, definition),
    ...contractChecks(client, definition, expectations),
  ]) {
    if (unanswered === MAX_UNANSWERED) {
      const { read: _, ...rest } = check;
      findings.push({ ...rest, found: 'not read: the node fails', ok: false });
      continue;
    }
    const finding = await findingOf(check);
    if (finding.unanswered) unanswered++;
    findings.push(finding);
  }
  return { ...report, findings };
}

export const isSound = (reports: readonly NodeReport[]): boolean =>
  reports.length > 0 && reports.every(({ findings }) => findings.every(({ ok }) => ok));
