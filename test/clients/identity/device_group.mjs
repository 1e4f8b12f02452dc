// The device group's id in JavaScript.
import { v5 } from 'uuid';

const NAMESPACE = '6f6b1a52-5f0e-5d8e-9d54-3a9d6f1e0c11';
const lower = text => text.replace(/[A-Z]/g, letter => letter.toLowerCase());

export function deviceGroupId(organizationId, serialNumbers) {
    const serials = new Set(serialNumbers.map(serial => lower(serial.trim())));
    serials.delete('');
    return v5(`${organizationId.toLowerCase()}:${JSON.stringify([...serials].sort())}`, NAMESPACE);
}
