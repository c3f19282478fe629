import { commandLine, isAlive } from '@bascule/local-stack';
import { rmSync } from 'node:fs';
import type { FirstKeys } from '@bascule/gateway';
import { readPrivateJson, writePrivateJson } from './private-file.js';
import type { ServiceName } from '../settings/settings.config.js';

/** Facts about a running stack for scripts and tests. */
export interface StackFile {
  base_url: string;
  funding_page_base: string;
  organisation_id: string;
  keys: Pick<FirstKeys, 'publishable' | 'secret'>;
  chains: Record<string, StackChain>;
  sandbox_provider: { base_url: string };
  solver: { base_url: string; api_key: string };
  attesters: { address: string; base_url: string; operations_url: string }[];
  webhook_receivers_allowed: string[];
  pid: number;
  /** Services that run as separate processes. */
  services?: StackService[];
  kafka?: { brokers: string[] };
  redis?: { url: string };
}

export interface StackService {
  name: ServiceName;
  /** The first replica is 1. */
  replica: number;
  /** Null until the next process of this replica has started. */
  pid: number | null;
  /** Port of this replica. Replicas of a service also share the service's port, behind a balancer. */
  port: number;
  /** Port of its `/health/live`, `/health/ready` and `/metrics`. */
  operations_port: number;
  log_file: string;
}

export interface StackChain {
  chain_id: number;
  rpc_url: string;
  explorer_url?: string;
  tokens: Record<string, string>;
  faucet_private_key: string;
}

const STACK_PROGRAM = /\bbundle\/(?:standalone|distributed)\.js\b/;

export const writeStackFile: (path: string, stack: StackFile) => void = writePrivateJson;

/** Only our own: the file of a stack that started meanwhile stays. */
export function removeStackFile(path: string): void {
  if (stackPid(path) === process.pid) rmSync(path, { force: true });
}

/** Whether the stack that wrote the file is still there. */
export function isRunning(path: string): boolean {
  const pid = stackPid(path);
  // The id of a killed stack may since belong to another program.
  return pid !== null && isAlive(pid) && STACK_PROGRAM.test(commandLine(pid));
}

function stackPid(path: string): number | null {
  const stack = readPrivateJson(path) as Partial<StackFile> | null;
  return typeof stack?.pid === 'number' ? stack.pid : null;
}
