import type { WebhookEventType } from '@bascule/contracts';
import type { Stack } from '../../../tools/first-payment/stack.js';
import type { ChaosStack } from '../support/chaos-stack.js';
import { RetryingApi } from './retrying-api.js';
import type { RequestLog } from './request-log.js';
import type { WebhookInbox } from './webhook-inbox.js';

export interface Organisation {
  name: string;
  key: string;
  api: RetryingApi;
}

const BOTH: WebhookEventType[] = ['WORKFLOW_COMPLETED', 'WORKFLOW_FAILED'];

/** Creates two organisations with their own webhooks, so that misdirected deliveries are found. */
export async function openOrganisations(
  stack: ChaosStack,
  file: Stack,
  log: RequestLog,
  inbox: WebhookInbox,
  tag: string,
): Promise<Organisation[]> {
  const organisations: Organisation[] = [];
  for (const name of [`first-${tag}`, `second-${tag}`]) {
    const key = await newKey(stack, name);
    organisations.push({ name, key, api: new RetryingApi(file.base_url, key, log) });
  }
  for (const { name: organisation, api } of organisations) {
    const register = (what: string, eventTypes: WebhookEventType[], authorization: string | null) =>
      inbox.register(api, {
        name: `${organisation}-${what}`,
        organisation,
        eventTypes,
        authorization,
      });
    await register('all', BOTH, null);
    await register('completed', ['WORKFLOW_COMPLETED'], `secret of ${organisation}`);
    await register('failed', ['WORKFLOW_FAILED'], null);
  }
  return organisations;
}

/** Creates an organisation in the operator's way. */
async function newKey(stack: ChaosStack, name: string): Promise<string> {
  const created = await stack.operator('organisations', 'create', '--name', name);
  const id = /organisation: (\S+)/.exec(created)?.[1] ?? '';
  const keys = await stack.operator('keys', 'create', '--organisation', id, '--label', name);
  const secret = /(sk_\S+)/.exec(keys)?.[1];
  if (secret === undefined) throw new Error(`no key: ${keys}`);
  return secret;
}
