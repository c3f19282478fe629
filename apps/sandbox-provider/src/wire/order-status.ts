export type OrderStatus =
  | 'open'
  | 'awaiting_payment'
  | 'payment_received'
  | 'sending'
  | 'completed'
  | 'declined'
  | 'expired'
  | 'failed'
  | 'refunded';

const NEXT: Readonly<Record<OrderStatus, readonly OrderStatus[]>> = {
  open: ['awaiting_payment', 'payment_received', 'declined', 'expired'],
  awaiting_payment: ['payment_received', 'declined', 'expired'],
  payment_received: ['sending', 'failed', 'refunded'],
  sending: ['completed', 'failed'],
  completed: [],
  declined: [],
  expired: [],
  failed: [],
  refunded: [],
};

export const canBecome = (from: OrderStatus, to: OrderStatus): boolean => NEXT[from].includes(to);

export const isPayable = (status: OrderStatus): boolean => canBecome(status, 'payment_received');

export const isFinal = (status: OrderStatus): boolean => NEXT[status].length === 0;
