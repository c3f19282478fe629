export { catalogueConsumer } from './catalogue.consumer.js';
export { priceConsumer } from './price.consumer.js';
export { priceEntity } from './price.entity.js';
export { PriceRepository } from './price.repository.js';
export { ProjectedAsset } from './projected-asset.entity.js';
