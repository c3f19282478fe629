// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {Vm} from "forge-std/Vm.sol";

/// @notice Two chains in one: contracts that stand at the same address on both have a storage, a balance and (where they
/// are not deployed everywhere) code of their own on each. Whatever a chain has of its own is swapped when the other one's
/// turn comes. Tokens are no matter of this: each is used on one chain only.
contract TwoChains {
    Vm private constant vm = Vm(address(uint160(uint256(keccak256("hevm cheat code")))));
    uint256 public constant HERE = 31_337;
    uint256 public constant THERE = 31_338;

    uint256 public current = HERE;
    address[] private _accounts;
    mapping(address account => bytes32[]) private _slots;
    mapping(address account => mapping(bytes32 slot => bool)) private _isKnown;
    mapping(address account => mapping(bytes32 slot => bytes32)) private _storageElsewhere;
    mapping(address account => uint256) private _balanceElsewhere;
    mapping(address account => bytes) private _codeElsewhere;

    /// @dev With the same code on both chains.
    function share(address account) external {
        _accounts.push(account);
        _codeElsewhere[account] = account.code;
    }

    /// @notice The native currency of all of them on the other chain.
    function nativeElsewhere() external view returns (uint256 sum) {
        for (uint256 i = 0; i < _accounts.length; i++) {
            sum += _balanceElsewhere[_accounts[i]];
        }
    }

    /// @dev Between `vm.record` and this, whatever an account has written becomes its chain's own.
    function remember() external {
        for (uint256 i = 0; i < _accounts.length; i++) {
            address account = _accounts[i];
            (, bytes32[] memory writes) = vm.accesses(account);
            for (uint256 j = 0; j < writes.length; j++) {
                if (_isKnown[account][writes[j]]) continue;
                _isKnown[account][writes[j]] = true;
                _slots[account].push(writes[j]);
            }
        }
    }

    function switchTo(uint256 chainId) external {
        vm.chainId(chainId);
        if (chainId == current) return;
        current = chainId;
        for (uint256 i = 0; i < _accounts.length; i++) {
            _swap(_accounts[i]);
        }
    }

    function _swap(address account) private {
        bytes32[] storage slots = _slots[account];
        for (uint256 j = 0; j < slots.length; j++) {
            bytes32 slot = slots[j];
            bytes32 value = vm.load(account, slot);
            vm.store(account, slot, _storageElsewhere[account][slot]);
            _storageElsewhere[account][slot] = value;
        }
        uint256 balance = account.balance;
        if (balance != _balanceElsewhere[account]) {
            vm.deal(account, _balanceElsewhere[account]);
            _balanceElsewhere[account] = balance;
        }
        bytes memory code = account.code;
        bytes memory other = _codeElsewhere[account];
        if (code.length == other.length) return;
        vm.etch(account, other);
        _codeElsewhere[account] = code;
        // So that it can be deployed here too.
        if (other.length == 0) vm.resetNonce(account);
    }
}
