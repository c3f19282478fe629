import { JsonObject, parseJson, told } from '../wire/json-object.js';
import { snakeCased } from './spelling.js';

export interface CallbackEvent {
  callbackId: string;
  /** `partnerUserRef` of an onramp transaction; null for other events. */
  reference: string | null;
}

/**
 * Reads an event. No id of an event is documented, so ours is made of the transaction and its state.
 * @throws UnreadableAnswer
 */
export function parseEvent(rawBody: Buffer): CallbackEvent {
  const event = JsonObject.of(
    snakeCased(parseJson(rawBody.toString('utf8'), 'callback')),
    'callback',
  );
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
