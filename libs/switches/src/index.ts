export { ProjectSwitches1799700000000 } from './project-switches.migration.js';
export { switchesConsumer } from './switches.consumer.js';
export { SwitchesEntity } from './switches.entity.js';
export { SwitchesService } from './switches.service.js';
