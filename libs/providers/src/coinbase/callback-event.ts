import { JsonObject, told, UnreadableAnswer } from '../wire/json-object.js';
import { snakeCased } from './spelling.js';

export interface CallbackEvent {
  callbackId: string;
  /** `partnerUserRef` of an onramp transaction; null for other events. */
  reference: string | null;
}

function parsed(rawBody: Buffer): unknown {
  try {
    return JSON.parse(rawBody.toString('utf8'));
  } catch {
    throw new UnreadableAnswer('callback', 'JSON');
  }
}

/**
 * Reads an event. No id of an event is documented, so ours is made of the transaction and its state.
 * @throws UnreadableAnswer
 */
export function parseEvent(rawBody: Buffer): CallbackEvent {
  const event = JsonObject.of(snakeCased(parsed(rawBody)), 'callback');
  const type = event.string('event_type');
  const isOrder = type.startsWith('onramp.transaction.') && event.has('partner_user_ref');
  return {
    callbackId: ['transaction_id', 'order_id', 'status', 'updated_at']
      .flatMap((field) => told(() => event.string(field)) ?? [])
      .concat(type)
      .join(' '),
    reference: isOrder ? event.string('partner_user_ref') : null,
  };
}
