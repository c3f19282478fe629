import { ProjectedAsset } from './projected-asset.entity.js';
import { ProjectedPayment } from './projected-payment.entity.js';
import { ProjectedPrice } from './projected-price.entity.js';
import { Withdrawal } from './withdrawal.entity.js';

export const withdrawalEntities = [Withdrawal, ProjectedPayment, ProjectedAsset, ProjectedPrice];
