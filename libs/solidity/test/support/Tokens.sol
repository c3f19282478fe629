// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";

contract TestToken is ERC20 {
    constructor() ERC20("Test", "TEST") {}

    function mint(address account, uint256 amount) external {
        _mint(account, amount);
    }
}

/// @notice Keeps one percent of every transfer.
contract FeeOnTransferToken is TestToken {
    function _update(address from, address to, uint256 amount) internal override {
        if (from == address(0)) return super._update(from, to, amount);
        uint256 kept = amount / 100;
        super._update(from, to, amount - kept);
        super._update(from, address(0xdead), kept);
    }
}

/// @notice Delivers one more than is sent.
contract GenerousToken is TestToken {
    function _update(address from, address to, uint256 amount) internal override {
        super._update(from, to, amount);
        if (from != address(0)) super._update(address(0), to, 1);
    }
}

/// @notice Answers false instead of reverting, to everyone or to some.
contract FalseToken is TestToken {
    mapping(address => bool) public refuses;
    bool public answersShort;

    function refuse(address to) external {
        refuses[to] = true;
    }

    function accept(address to) external {
        refuses[to] = false;
    }

    function answerShort() external {
        answersShort = true;
    }

    function transfer(address to, uint256 amount) public override returns (bool) {
        if (answersShort) {
            assembly {
                mstore(0, not(0))
                return(0, 16)
            }
        }
        if (refuses[to]) return false;
        return super.transfer(to, amount);
    }

    function transferFrom(address from, address to, uint256 amount) public override returns (bool) {
        if (refuses[to]) return false;
        return super.transferFrom(from, to, amount);
    }
}

/// @notice Answers nothing at all, and lets nobody change an allowance that is not used up (Tether).
contract SilentToken is TestToken {
    function transfer(address to, uint256 amount) public override returns (bool) {
        _transfer(msg.sender, to, amount);
        answerNothing();
    }

    function transferFrom(address from, address to, uint256 amount) public override returns (bool) {
        _spendAllowance(from, msg.sender, amount);
        _transfer(from, to, amount);
        answerNothing();
    }

    function approve(address spender, uint256 amount) public override returns (bool) {
        require(amount == 0 || allowance(msg.sender, spender) == 0, "not used up");
        _approve(msg.sender, spender, amount);
        answerNothing();
    }

    function answerNothing() private pure {
        assembly {
            return(0, 0)
        }
    }
}

/// @notice Answers false, whatever it is asked.
contract Denying {
    fallback(bytes calldata) external returns (bytes memory) {
        return abi.encode(false);
    }
}

/// @notice Answers true, and more words after it.
contract WordyToken is TestToken {
    function transfer(address to, uint256 amount) public override returns (bool) {
        _transfer(msg.sender, to, amount);
        assembly {
            mstore(0x00, 1)
            mstore(0x20, 2)
            return(0x00, 0x40)
        }
    }
}

/// @notice Takes all of the recipient's balance when something arrives.
contract DrainingToken is TestToken {
    function transfer(address to, uint256 amount) public override returns (bool) {
        _transfer(msg.sender, address(0xdead), amount);
        _transfer(to, address(0xdead), balanceOf(to));
        return true;
    }
}

/// @notice The same for who pulls.
contract DrainingSourceToken is TestToken {
    function transferFrom(address from, address to, uint256 amount) public override returns (bool) {
        _transfer(from, address(0xdead), amount);
        _transfer(to, address(0xdead), balanceOf(to));
        return true;
    }
}

/// @notice Reverts when nothing is transferred, as some tokens do.
contract NonZeroToken is TestToken {
    function transfer(address to, uint256 amount) public override returns (bool) {
        require(amount != 0, "nothing");
        return super.transfer(to, amount);
    }
}

/// @notice Counts in more than ether's eighteen decimals.
contract WideToken is TestToken {
    function decimals() public pure override returns (uint8) {
        return 36;
    }
}

/// @notice Its issuer blocks accounts, from sending and from receiving.
contract BlacklistToken is TestToken {
    mapping(address => bool) public isBlocked;

    function blockAccount(address account) external {
        isBlocked[account] = true;
    }

    function freeAccount(address account) external {
        isBlocked[account] = false;
    }

    function _update(address from, address to, uint256 amount) internal override {
        require(!isBlocked[from] && !isBlocked[to], "blocked");
        super._update(from, to, amount);
    }
}

/// @notice All balances grow and shrink by themselves; transfers name what the balance says.
contract RebasingToken is TestToken {
    uint256 private _numerator = 1;
    uint256 private _denominator = 1;

    function rebase(uint256 numerator, uint256 denominator) external {
        (_numerator, _denominator) = (numerator, denominator);
    }

    function balanceOf(address account) public view override returns (uint256) {
        return super.balanceOf(account) * _numerator / _denominator;
    }

    function transfer(address to, uint256 amount) public override returns (bool) {
        return super.transfer(to, amount * _denominator / _numerator);
    }
}

interface IHook {
    function onTransfer(address from, address to, uint256 amount) external;
}

/// @notice Calls whom the sender has registered, before balances change, and whom the recipient has, after (ERC-777).
contract HookToken is TestToken {
    mapping(address => address) public senderHook;
    mapping(address => address) public recipientHook;

    function setSenderHook(address hook) external {
        senderHook[msg.sender] = hook;
    }

    function setRecipientHook(address hook) external {
        recipientHook[msg.sender] = hook;
    }

    function _update(address from, address to, uint256 amount) internal override {
        if (senderHook[from] != address(0)) IHook(senderHook[from]).onTransfer(from, to, amount);
        super._update(from, to, amount);
        if (recipientHook[to] != address(0)) IHook(recipientHook[to]).onTransfer(from, to, amount);
    }
}
