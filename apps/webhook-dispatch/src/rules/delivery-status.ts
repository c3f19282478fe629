/** `PENDING` until the receiver has acknowledged, the schedule has ended, or the webhook is deleted. */
export const DELIVERY_STATUSES = ['PENDING', 'DELIVERED', 'FAILED', 'CANCELLED'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];
