// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {Vm} from "forge-std/Vm.sol";
import {Call} from "../../contracts/types/Declaration.sol";

interface IPositionManager {
    struct MintParams {
        address token0;
        address token1;
        uint24 fee;
        int24 tickLower;
        int24 tickUpper;
        uint256 amount0Desired;
        uint256 amount1Desired;
        uint256 amount0Min;
        uint256 amount1Min;
        address recipient;
        uint256 deadline;
    }

    function createAndInitializePoolIfNecessary(address token0, address token1, uint24 fee, uint160 sqrtPriceX96)
        external
        returns (address);
    function mint(MintParams calldata params) external;
}

interface ISwapRouter02 {
    struct ExactInputSingleParams {
        address tokenIn;
        address tokenOut;
        uint24 fee;
        address recipient;
        uint256 amountIn;
        uint256 amountOutMinimum;
        uint160 sqrtPriceLimitX96;
    }

    function exactInputSingle(ExactInputSingleParams calldata params) external returns (uint256);
}

/// @notice Published Uniswap V3 with one pool at price 1, for realistic gas numbers.
contract UniswapV3 {
    Vm private constant vm = Vm(address(uint160(uint256(keccak256("hevm cheat code")))));
    uint24 private constant FEE = 500;

    ISwapRouter02 public immutable router;
    IPositionManager private immutable _positions;

    constructor() {
        address factory = _deploy("v3-core/artifacts/contracts/UniswapV3Factory.sol/UniswapV3Factory", "");
        address weth = _deploy("v2-periphery/build/WETH9", "");
        _positions = IPositionManager(
            _deploy(
                "v3-periphery/artifacts/contracts/NonfungiblePositionManager.sol/NonfungiblePositionManager",
                abi.encode(factory, weth, address(0))
            )
        );
        router = ISwapRouter02(
            _deploy(
                "swap-router-contracts/artifacts/contracts/SwapRouter02.sol/SwapRouter02",
                abi.encode(address(0), factory, _positions, weth)
            )
        );
    }

    /// @dev Requires the liquidity to be in this contract.
    function fill(IERC20 a, IERC20 b, uint256 liquidity) external {
        (IERC20 token0, IERC20 token1) = a < b ? (a, b) : (b, a);
        _positions.createAndInitializePoolIfNecessary(address(token0), address(token1), FEE, 2 ** 96);
        token0.approve(address(_positions), liquidity);
        token1.approve(address(_positions), liquidity);
        _positions.mint(
            IPositionManager.MintParams(
                address(token0),
                address(token1),
                FEE,
                -887_270,
                887_270,
                liquidity,
                liquidity,
                0,
                0,
                address(this),
                block.timestamp
            )
        );
    }

    function swap(IERC20 from, IERC20 to, uint256 amount, address recipient) public pure returns (bytes memory) {
        return abi.encodeCall(
            ISwapRouter02.exactInputSingle,
            (ISwapRouter02.ExactInputSingleParams(address(from), address(to), FEE, recipient, amount, 0, 0))
        );
    }

    function calls(IERC20 from, IERC20 to, uint256 amount, address recipient)
        external
        view
        returns (Call[] memory list)
    {
        list = new Call[](2);
        list[0] = Call(address(from), abi.encodeCall(IERC20.approve, (address(router), amount)), 0);
        list[1] = Call(address(router), swap(from, to, amount, recipient), 0);
    }

    function _deploy(string memory artifact, bytes memory arguments) private returns (address deployed) {
        string memory path = string.concat(vm.envString("UNISWAP_PACKAGES"), "/", artifact, ".json");
        string memory hexadecimal = vm.parseJsonString(vm.readFile(path), ".bytecode");
        bytes memory initCode = bytes.concat(vm.parseBytes(hexadecimal), arguments);
        assembly {
            deployed := create(0, add(initCode, 0x20), mload(initCode))
        }
        require(deployed != address(0), artifact);
    }
}
