// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

/// @notice On-chain list of sanctioned addresses, with the interface of the public deployments.
interface ISanctionsList {
    function isSanctioned(address account) external view returns (bool);
}
