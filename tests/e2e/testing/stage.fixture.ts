import { Api } from '../../../tools/first-payment/api.js';
import { Chain } from '../../../tools/first-payment/chain.js';
import type { Stage } from '../../../tools/first-payment/test-user.js';
import { Timeline } from '../../../tools/first-payment/timeline.js';
import { WebhookReceiver } from '../../../tools/first-payment/webhook-receiver.js';
import type { StackFile } from '@bascule/composition';

/** The user of `npm run first-payment`, saying nothing. */
export async function silentStage(stack: StackFile): Promise<Stage> {
  const api = new Api(stack.base_url, stack.keys.secret);
  const webhooks = new WebhookReceiver(api);
  await webhooks.open();
  return {
    stack,
    api,
    webhooks,
    chain: new Chain(stack, 'alphanet'),
    timeline: new Timeline(() => undefined),
  };
}
