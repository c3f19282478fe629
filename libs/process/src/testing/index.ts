export { interceptFaultPoints } from '../fault-points.js';
